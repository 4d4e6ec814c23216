/** interface: Agent profile, inboxEmailPrefix. */

import { isUuid } from '../../../../common/values.js';
import { isOfRun, isProbe } from '../../../engine/outcome/mark.js';
import { accepted, answerBody, type Fields, isClientError, requestBody, status } from '../../../engine/outcome/read.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { has, jsonText, sameId } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';
import { eachAccepted } from '../updates-and-copies.js';

/** The parts of an address, in lower case. */
const parts = (address: unknown): [prefix: string, domain: string] | undefined => {
  const at = typeof address === 'string' ? address.lastIndexOf('@') : -1;
  return typeof address === 'string' && at >= 0
    ? [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()]
    : undefined;
};

/** Whether an answer shows a prefix that its request did not set: then a service does not hide prefixes. */
const showsPrefixUnasked = (exchange: Exchange): boolean =>
  showsPrefix(exchange) && !has(requestBody(exchange) ?? {}, 'inboxEmailPrefix');

const showsPrefix = (exchange: Exchange): boolean =>
  accepted(exchange) && has(answerBody(exchange) ?? {}, 'inboxEmailPrefix');

/**
 * Judges a profile without a prefix, of a service that shows prefixes. Passes if its inbox begins with its id. Ends
 * at the first update that may have set a prefix, even if it failed, since answers may leave it out.
 */
function byDefault({ profileId, exchanges }: ProfileHistory): Finding[] {
  const named = exchanges.findIndex(
    (exchange) => !isClientError(exchange) && has(requestBody(exchange) ?? {}, 'inboxEmailPrefix'),
  );
  return exchanges.slice(0, named < 0 ? undefined : named).flatMap((exchange) => {
    const profile = accepted(exchange) ? answerBody(exchange) : undefined;
    if (!profile || !has(profile, 'inboxEmail') || has(profile, 'inboxEmailPrefix') || !isUuid(profile.id)) return [];
    // update-keeps-identity judges a profile that is shown with another id.
    if (updatesProfile(exchange) && !sameId(profile.id, profileId)) return [];
    const prefix = profile.id.slice(0, 8).toLowerCase();
    return parts(profile.inboxEmail)?.[0] === prefix
      ? satisfied(exchange)
      : violated(exchange, `inboxEmail ${prefix}@…`, jsonText(profile.inboxEmail));
  });
}

/** The part of a prefix that mail servers do not change. */
const core = (prefix: string) => prefix.toLowerCase().replaceAll(/[^a-z\d]/g, '');

function apart(exchange: Exchange, { inboxEmailPrefix: prefix, inboxEmail }: Fields): Finding | undefined {
  const inbox = parts(inboxEmail)?.[0];
  const isOne =
    typeof prefix !== 'string' || core(prefix) === '' || inbox === undefined || core(inbox) === core(prefix);
  return isOne ? undefined : violated(exchange, `inboxEmail ${prefix}@…, as inboxEmailPrefix`, jsonText(inboxEmail));
}

const asksForPrefix = (exchange: Exchange, body: Fields = {}): boolean =>
  updatesProfile(exchange) &&
  isOfRun(exchange) &&
  !isProbe(exchange) &&
  typeof body.inboxEmailPrefix === 'string' &&
  body.inboxEmailPrefix !== '';

/** It is not shown which prefixes are valid. If none was accepted, nothing shows what the service makes of one. */
function allRefused(exchanges: readonly Exchange[]): Finding | undefined {
  const asked = exchanges.filter((exchange) => asksForPrefix(exchange, requestBody(exchange)));
  const last = asked.findLast(isClientError);
  return last && !asked.some(accepted)
    ? inconclusive(
        last,
        `Each inboxEmailPrefix was refused, the last one with ${status(last)}: ${jsonText(requestBody(last)?.inboxEmailPrefix)}.`,
      )
    : undefined;
}

const isRecorded = ({ exchanges }: ProfileHistory) => !exchanges.every(isOfRun);

export const inbox = {
  /** Judges a profile without a prefix. Passes if its inbox begins with its id. */
  'inbox-default-prefix': {
    profile: (history) =>
      isRecorded(history) && history.exchanges.some(showsPrefixUnasked) ? byDefault(history) : undefined,
    run: ({ profiles, exchanges }) =>
      exchanges.some(showsPrefixUnasked)
        ? profiles.filter((history) => !isRecorded(history)).flatMap(byDefault)
        : undefined,
  },

  /**
   * Judges an update that sets a prefix. Passes if the inbox has it, with the same domain as before. Also fails if
   * a profile shows one prefix and the inbox of another.
   */
  'inbox-custom-prefix': {
    exchange: (exchange) => (showsPrefix(exchange) ? apart(exchange, answerBody(exchange) ?? {}) : undefined),
    ...eachAccepted(({ exchange, sent: asked, profile, before }) => {
      const prefix = asked.inboxEmailPrefix;
      if (typeof prefix !== 'string' || prefix === '' || !has(profile, 'inboxEmail')) return undefined;
      const [was, is] = [parts(before?.profile.inboxEmail), parts(profile.inboxEmail)];
      return is?.[0] === prefix.toLowerCase() && (was ?? is)[1] === is[1]
        ? satisfied(exchange)
        : violated(exchange, `inboxEmail ${prefix}@${was?.[1] ?? '…'}`, jsonText(profile.inboxEmail));
    }),
    run: ({ exchanges }) => allRefused(exchanges),
  },
} satisfies Judges;
