import type { Choices } from '../choices.js';
import { refuseParameter } from '../errors.js';
import type { Profile } from '../store.js';

/** gap: unnamed-profile-fields. The JSON names of proxy mode, operating system and proxy country, if they are shown. */
export const unnamedNames = {
  plain: ['proxyMode', 'operatingSystem', 'proxyCountry'],
  prefixed: ['proxyConfigurationMode', 'emulatedOperatingSystem', 'proxyCountryCode'],
  none: [],
} as const satisfies Record<Choices['unnamed-profile-fields'], readonly string[]>;

/** interface: Agent profile, the three fields without a name. */
const allowed = {
  proxyMode: ['none', 'managed', 'custom', 'gateway'],
  operatingSystem: ['macos', 'windows'],
  proxyCountry: ['us', 'uk', 'fr', 'it', 'jp', 'au', 'de', 'fi', 'ca'],
} as const;

/** Reads these three fields of an update. */
export function readUnnamed(way: Choices['unnamed-profile-fields'], update: object): Partial<Profile> {
  const entries = Object.entries(allowed).flatMap(([field, values], index) => {
    const name = unnamedNames[way][index];
    if (name === undefined || !Object.hasOwn(update, name)) return [];
    const value = (update as Record<string, unknown>)[name];
    if (!(values as readonly unknown[]).includes(value))
      throw refuseParameter(400, name, `must be ${values.join(' or ')}`);
    return [[field, value]];
  });
  return Object.fromEntries(entries) as Partial<Profile>;
}
