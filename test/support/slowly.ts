import { faults } from '../../deviations/index.js';
import type { Service } from '../../deviations/variation.js';
import { findVariation, type Outcome, runSetting } from '../../proof/cases.js';
import type { Clock } from '../../reference/clock.js';

/** A service that is odd in several ways at once, whose runs take two minutes, five at once. */
export function slowly(executions: number, ...ids: readonly string[]) {
  const ways = ids.map((id) => faults.find((one) => one.id === id) ?? findVariation(id));
  const gateways = ways.flatMap((one) => ('gateway' in one && one.gateway) || []);
  const setting = {
    options: { faults: ways.filter((one) => 'behaviour' in one) },
    gateway: (service: Service, clock: Clock) => gateways.reduce((inner, gateway) => gateway(inner, clock), service),
  };
  return runSetting(setting, 1, { minutes: 2, places: 5, executions });
}

/** The rules that a run calls violated. */
export const broken = ({ rules: judged }: Outcome) =>
  judged.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
