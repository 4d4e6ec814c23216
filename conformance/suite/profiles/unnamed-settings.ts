/** Settings whose names the interface does not show: they are recognised by their values. */
import { fields } from '../../../generated/fields.js';
import type { Fields } from '../../engine/outcome/read.js';
import { equal } from '../../engine/rule/values.js';

/** interface: Agent profile, the values of proxy mode, operating system and country. */
const values: readonly unknown[] = [
  ...['managed', 'custom', 'gateway', 'macos', 'windows'],
  ...['us', 'uk', 'fr', 'it', 'jp', 'au', 'de', 'fi', 'ca'],
];

/** The first such setting that differs. The value `none` could be anything, so the other value must be a known one. */
export const differingUnnamed = (from: Fields, to: Fields): string | undefined =>
  Object.keys(from).find(
    (field) =>
      !(field in fields.AgentProfile) &&
      (values.includes(from[field]) || values.includes(to[field])) &&
      !equal(to[field], from[field]),
  );
