/** interface: Agent profile, inboxEmailPrefix. */
import { accepted, answer, declined, type Fields, sent, status } from '../../../engine/outcome/read.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { isMasked } from '../../../engine/rule/masked.js';
import { isUuid, sameId, shows } from '../../../engine/rule/values.js';
import { shown } from '../../../engine/rule/words.js';
import type { Exchange, Finding, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { eachTaken } from '../course.js';

/** The parts of an address; upper and lower case are alike in both. */
const parts = (address: unknown): [prefix: string, domain: string] | undefined => {
  const at = typeof address === 'string' ? address.lastIndexOf('@') : -1;
  return typeof address === 'string' && at >= 0
    ? [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()]
    : undefined;
};

/** Whoever recorded it, or passed it on to be recorded, may mask addresses; a run sees what was sent. */
const isHidden = ({ mark }: Exchange, { inboxEmail }: Fields): boolean => mark === undefined && isMasked(inboxEmail);

/** An answer may show a prefix only to who sets it: elsewhere it tells that none is left out. */
const showsPrefixUnasked = (exchange: Exchange): boolean =>
  showsPrefix(exchange) && !shows(sent(exchange) ?? {}, 'inboxEmailPrefix');

const showsPrefix = (exchange: Exchange): boolean =>
  accepted(exchange) && shows(answer(exchange) ?? {}, 'inboxEmailPrefix');

/**
 * Seen: a profile without a prefix, of a service that shows prefixes: where it shows none, there may be one all the same.
 * Satisfied where its inbox begins with its id. An answer may leave out what an update has set; one that failed may have set it.
 */
function byDefault({ profileId, exchanges }: ProfileHistory): Finding[] {
  const named = exchanges.findIndex(
    (exchange) => !declined(exchange) && shows(sent(exchange) ?? {}, 'inboxEmailPrefix'),
  );
  return exchanges.slice(0, named < 0 ? undefined : named).flatMap((exchange) => {
    const profile = accepted(exchange) ? answer(exchange) : undefined;
    if (!profile || shows(profile, 'inboxEmailPrefix') || !isUuid(profile.id) || isHidden(exchange, profile)) return [];
    // update-keeps-identity speaks of a profile under another id.
    if (exchange.operation === 'updateProfile' && !sameId(profile.id, profileId)) return [];
    const prefix = profile.id.slice(0, 8).toLowerCase();
    return parts(profile.inboxEmail)?.[0] === prefix
      ? satisfied(exchange)
      : violated(exchange, `inboxEmail ${prefix}@…`, shown(profile.inboxEmail));
  });
}

/** What of a prefix no mail server writes otherwise. */
const core = (prefix: string) => prefix.toLowerCase().replaceAll(/[^a-z\d]/g, '');

function apart(exchange: Exchange, { inboxEmailPrefix: prefix, inboxEmail }: Fields): Finding | undefined {
  const inbox = parts(inboxEmail)?.[0];
  const isOne =
    typeof prefix !== 'string' || core(prefix) === '' || inbox === undefined || core(inbox) === core(prefix);
  return isOne ? undefined : violated(exchange, `inboxEmail ${prefix}@…, as inboxEmailPrefix`, shown(inboxEmail));
}

const asksForPrefix = ({ operation, mark }: Exchange, body: Fields = {}): boolean =>
  operation === 'updateProfile' &&
  mark !== undefined &&
  mark.probe === undefined &&
  typeof body.inboxEmailPrefix === 'string' &&
  body.inboxEmailPrefix !== '';

/** Which prefixes a service takes is not shown: where it took none, nothing shows what it makes of one. */
function allRefused(exchanges: readonly Exchange[]): Finding | undefined {
  const asked = exchanges.filter((exchange) => asksForPrefix(exchange, sent(exchange)));
  const last = asked.findLast(declined);
  return last && !asked.some(accepted)
    ? inconclusive(
        last,
        `Each inboxEmailPrefix was refused, the last one with ${status(last)}: ${shown(sent(last)?.inboxEmailPrefix)}.`,
      )
    : undefined;
}

const isRecorded = ({ exchanges }: ProfileHistory) => exchanges.some(({ mark }) => mark === undefined);

export const inbox = {
  /** Seen: a profile without a prefix. Satisfied where its inbox begins with its id. */
  'inbox-default-prefix': {
    profile: (history) =>
      isRecorded(history) && history.exchanges.some(showsPrefixUnasked) ? byDefault(history) : undefined,
    run: ({ profiles, exchanges }) =>
      exchanges.some(showsPrefixUnasked)
        ? profiles.filter((history) => !isRecorded(history)).flatMap(byDefault)
        : undefined,
  },

  /**
   * Seen: an update that sets a prefix. Satisfied where the inbox has it, and the domain that it had; broken as well where a
   * profile shows one prefix and an inbox of another.
   */
  'inbox-custom-prefix': {
    exchange: (exchange) => (showsPrefix(exchange) ? apart(exchange, answer(exchange) ?? {}) : undefined),
    ...eachTaken(({ exchange, sent: asked, profile, before }) => {
      const prefix = asked.inboxEmailPrefix;
      if (typeof prefix !== 'string' || prefix === '' || isHidden(exchange, profile)) return undefined;
      const [was, is] = [parts(before?.profile.inboxEmail), parts(profile.inboxEmail)];
      return is?.[0] === prefix.toLowerCase() && (was ?? is)[1] === is[1]
        ? satisfied(exchange)
        : violated(exchange, `inboxEmail ${prefix}@${was?.[1] ?? '…'}`, shown(profile.inboxEmail));
    }),
    run: ({ exchanges }) => allRefused(exchanges),
  },
} satisfies Judges;
