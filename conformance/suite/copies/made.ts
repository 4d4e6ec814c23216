/** The copy that a duplication made. */

import { couplings, plainFlags } from '../../../generated/flags.js';
import { accepted, answerBody, type Fields } from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { Editor } from '../profiles/editor.js';
import { isNew } from './separate-copies.js';

/** The editor of the copy that a duplication answered with. */
export function editorOf(
  { driver, id, noop, now: source }: Editor,
  exchange: Exchange | undefined,
): Editor | undefined {
  const copy = exchange && accepted(exchange) ? answerBody(exchange) : undefined;
  if (typeof copy?.id !== 'string' || sameId(copy.id, id) || !isNew(copy, source)) return undefined;
  const editor = new Editor(driver, copy.id);
  editor.noop = noop;
  editor.original = editor.now = copy;
  return editor;
}

/** Each flag inverted, except that flags which need another one are off. */
export const turned = ({ now }: Editor): Fields => ({
  ...Object.fromEntries(plainFlags.map((flag) => [flag, now[flag] !== true])),
  ...Object.fromEntries(
    couplings.flatMap(({ flag, needs }) => [
      [flag, false],
      [needs, now[needs] !== true],
    ]),
  ),
});
