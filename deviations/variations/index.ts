import type { Variation } from '../variation.js';
import { behindVariations } from './around/behind.js';
import { closedVariations } from './around/closed.js';
import { firewallVariations } from './around/firewalls.js';
import { gatewayVariations } from './around/gateways.js';
import { limitVariations } from './around/limits.js';
import { neighbourVariations } from './around/neighbours.js';
import { replicaVariations } from './around/replicas.js';
import { strangerVariations } from './around/strangers.js';
import { surroundingVariations } from './around/surroundings.js';
import { tempoVariations } from './around/tempo.js';
import { timeVariations } from './around/times.js';
import { copyVariations } from './copies.js';
import { errorVariations } from './errors.js';
import { executionVariations } from './executions.js';
import { fileVariations } from './files.js';
import { profileVariations } from './profiles.js';
import { startVariations } from './starts.js';

/** Services that something around them disturbs: a gateway, a firewall, a limit, an outage, other clients, another clock. */
export const surroundings: readonly Variation[] = [
  ...timeVariations,
  ...gatewayVariations,
  ...limitVariations,
  ...firewallVariations,
  ...strangerVariations,
  ...behindVariations,
  ...replicaVariations,
  ...neighbourVariations,
];

/** All variations: by topic, as in conformance/suite, then the surroundings of the service. */
export const variations: readonly Variation[] = [
  ...executionVariations,
  ...startVariations,
  ...fileVariations,
  ...profileVariations,
  ...copyVariations,
  ...errorVariations,
  ...tempoVariations,
  ...closedVariations,
  ...surroundingVariations,
  ...surroundings,
];
