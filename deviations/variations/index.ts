import type { Variation } from '../variation.js';
import { answerVariations } from './answers.js';
import { behindVariations } from './behind.js';
import { firewallVariations } from './firewalls.js';
import { gatewayVariations } from './gateways.js';
import { impliedVariations } from './implied.js';
import { limitVariations } from './limits.js';
import { neighbourVariations } from './neighbours.js';
import { profileVariations } from './profiles.js';
import { runVariations } from './runs.js';
import { secretVariations } from './secrets.js';
import { strangerVariations } from './strangers.js';
import { surroundingVariations } from './surroundings.js';
import { tempoVariations } from './tempo.js';
import { timeVariations } from './times.js';
import { valueVariations } from './values.js';

/** By what they are about. */
const variationTopics = {
  times: timeVariations,
  tempo: tempoVariations,
  values: valueVariations,
  answers: answerVariations,
  profiles: profileVariations,
  runs: runVariations,
  surroundings: surroundingVariations,
  implied: impliedVariations,
  gateways: gatewayVariations,
  limits: limitVariations,
  firewalls: firewallVariations,
  strangers: strangerVariations,
  behind: behindVariations,
  neighbours: neighbourVariations,
  secrets: secretVariations,
} as const satisfies Record<string, readonly Variation[]>;

/** Every odd way to conform. */
export const variations: readonly Variation[] = Object.values(variationTopics).flat();
