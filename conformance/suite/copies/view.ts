/** What is seen of duplications: what each asked for, and each copy beside its source. */

import { accepted, isCopyRequest, isMeantToPass, requestBody } from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange, Finding, Judge, ProfileHistory } from '../../engine/vocabulary.js';
import type { Duplication } from '../profiles/update.js';
import { updatesOf } from '../profiles/updates-and-copies.js';

/** The accepted duplications. */
export const duplicationsIn = (profiles: readonly ProfileHistory[]): Duplication[] =>
  profiles.flatMap((history) => updatesOf(history).duplications);

/** The organization that a duplication asks for. */
export const target = (exchange: Exchange): unknown => requestBody(exchange)?.organizationId ?? undefined;
export const staysHome = ({ exchange }: Duplication): boolean => target(exchange) === undefined;

/** The duplications of a profile that should have been accepted, but were not. */
export const failures = ({ exchanges }: ProfileHistory, elsewhere: boolean): Exchange[] =>
  exchanges.filter(
    (one) => isCopyRequest(one) && isMeantToPass(one) && !accepted(one) && (target(one) !== undefined) === elsewhere,
  );

/** A copy for which the state of its source is known. */
export type Copied = Duplication & Required<Pick<Duplication, 'source'>>;

/** Judges each copy beside its source. */
export const eachCopy = (judge: (duplication: Copied, history: ProfileHistory) => Finding | undefined): Judge => ({
  profile: (history) =>
    updatesOf(history).duplications.flatMap(
      ({ source, ...rest }) => (source && judge({ ...rest, source }, history)) ?? [],
    ),
});

export const atHome = ({ copy, source }: Copied): boolean => sameId(copy.organizationId, source.profile.organizationId);

/** The steps that give a copy its name back: `after` follows duplications that were refused for their keys. */
export const namedBack = { before: 'copy-named-back', after: 'copy-named-back-again' } as const;
