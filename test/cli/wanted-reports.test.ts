import { describe, expect, it } from 'vitest';
import { wantedReports } from '../../cli/wanted-reports.js';

describe('--report', () => {
  it.each<[string, string[]]>([
    ['html=report.html', ['html report.html']],
    ['json=-', ['json -']],
    ['HTML=r', ['html r']],
    ['md=summary', ['markdown summary']],
    ['html=a.html,json=b.json', ['html a.html', 'json b.json']],
    ['html=a,b.html', ['html a,b.html']],
    ['html=a=b.html', ['html a=b.html']],
    ['report.html', ['html report.html']],
    ['out/junit.xml', ['junit out/junit.xml']],
    ['report.html,report.json,report.md', ['html report.html', 'json report.json', 'markdown report.md']],
  ])('%s', (value, want) => {
    expect(wantedReports(value).map(({ format, file }) => `${format} ${file}`)).toEqual(want);
  });

  it('may be repeated', () => {
    const first = wantedReports('html=a');
    expect(wantedReports('json=b', first)).toEqual([...first, { format: 'json', file: 'b' }]);
  });

  it.each([
    ['html', 'such as html=report.html'],
    ['html,json', 'such as html=report.html'],
    ['junit=', 'such as junit=report.xml'],
    ['report', 'FORMAT=FILE, with one of json, junit, markdown, html, har'],
    ['pdf=report.pdf', 'FORMAT=FILE'],
    ['report.html,report.pdf', 'FORMAT=FILE'],
    ['', 'FORMAT=FILE'],
  ])('reports what is missing in %j', (value, want) => {
    expect(() => wantedReports(value)).toThrow(want);
  });
});
