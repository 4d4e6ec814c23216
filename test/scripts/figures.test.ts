import { expect, it } from 'vitest';
import { withSection } from '../../scripts/figures.js';

it('a section of the figures replaces the one with its title, and leaves the others', () => {
  const page = withSection(withSection('', '## One\n\n1\n'), '## Two\n\n2\n');
  expect(page).toMatch(/^# Figures\n[\s\S]*\n\n## One\n\n1\n\n## Two\n\n2\n$/);
  expect(withSection(page, '## One\n\n3\n')).toBe(page.replace('1\n', '3\n'));
  expect(withSection(page, '## Two\n\n2\n')).toBe(page);
});
