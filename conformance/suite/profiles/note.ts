/** The note in a profile's description while a run is changing it. It tells people, and runs without the journal. */

import { asText } from '../../engine/rule/values.js';

const begins = 'Changed by the conformance suite in the run of ';
const startOf = new RegExp(`^\\s*${begins}(\\S+?)\\.\\s`);

/** A note that says that there is something to put back. */
export const noteOf = (startedAt: string): string =>
  `${begins}${startedAt}. Once it has ended, its settings have to be put back, by the state folder of that run or by hand.`;

/** When the run that wrote this note began; undefined if the description is no note. */
export const runStartOfNote = (description: unknown): string | undefined =>
  startOf.exec(asText(description ?? ''))?.[1];

/** The text with its beginning replaced by the note; as long as the text, or as the note if that is longer. */
export const withNote = (note: string, text: string): string =>
  [...note, ...[...text].slice([...note].length)].join('');
