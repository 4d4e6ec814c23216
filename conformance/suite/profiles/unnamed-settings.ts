/** Settings of a profile whose names the interface does not show: what they are is known by their values. */
import type { AgentProfile } from '../../../generated/types.js';
import type { Fields } from '../../engine/outcome/read.js';
import { equal } from '../../engine/rule/values.js';

/** The fields that the contract names: all of them, or it does not compile. */
export const named: Record<keyof AgentProfile, true> = {
  id: true,
  name: true,
  organizationId: true,
  description: true,
  createdAt: true,
  updatedAt: true,
  adblockActive: true,
  allow3rdCookies: true,
  cachePersistence: true,
  captchaSolverActive: true,
  extraStealth: true,
  forcePopupsAsTabsActive: true,
  mediaBlockerActive: true,
  pdfViewerActive: true,
  popupBlockerActive: true,
  stickyIP: true,
  tracingEnabled: true,
  extensionIds: true,
  inboxEmail: true,
  inboxEmailPrefix: true,
  cookies: true,
  credentials: true,
  customProxy: true,
  proxyGatewayPresetId: true,
  proxyType: true,
};

/** interface: Agent profile, the values of proxy mode, operating system and country. */
const values: readonly unknown[] = [
  ...['managed', 'custom', 'gateway', 'macos', 'windows'],
  ...['us', 'uk', 'fr', 'it', 'jp', 'au', 'de', 'fi', 'ca'],
];

/** The first of them that is otherwise in the other profile: `none`, which may stand for anything, is one beside another. */
export const differingUnnamed = (from: Fields, to: Fields): string | undefined =>
  Object.keys(from).find(
    (field) =>
      !(field in named) &&
      (values.includes(from[field]) || values.includes(to[field])) &&
      !equal(to[field], from[field]),
  );
