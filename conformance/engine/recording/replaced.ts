/** Recognises values that a recorder or an anonymiser has replaced: they are no evidence against a service. */

import { isUuid } from '../../../common/values.js';
import { literally } from '../http/redact.js';
import { isFields } from '../outcome/read.js';
import { isMasked, replacementIn } from '../rule/altered.js';
import { inconclusive } from '../rule/findings.js';
import { equal, jsonText, pathOf } from '../rule/values.js';
import type { Body, Exchange, Fault, Finding } from '../vocabulary.js';
import { Recent, type Recorded } from './history.js';

/** A text or a list in a body, with the names of the fields around it. */
interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}
interface List {
  readonly path: readonly string[];
  readonly items: readonly unknown[];
}

const partsIn = (value: unknown, path: readonly string[] = []): readonly (Leaf | List)[] =>
  typeof value === 'string'
    ? [{ path, text: value }]
    : Array.isArray(value)
      ? [{ path, items: value }, ...value.flatMap((item) => partsIn(item, path))]
      : isFields(value)
        ? Object.entries(value).flatMap(([name, one]) => partsIn(one, [...path, name]))
        : [];

const partsOf = (body: Body): readonly (Leaf | List)[] => (body.kind === 'json' ? partsIn(body.value) : []);
const isLeaf = <Part extends object>(part: Part): part is Extract<Part, Leaf> => 'text' in part;
const isList = <Part extends object>(part: Part): part is Extract<Part, List> => 'items' in part;
const nameOf = ({ path }: Leaf | List): string => path.at(-1) ?? 'A body';
const labelOf = (leaf: Leaf): string => `${nameOf(leaf)} ${leaf.text}`;

/** Whether the first list may be the other one, cut. */
const begins = (one: List, other: List): boolean =>
  nameOf(one) === nameOf(other) &&
  one.items.length < other.items.length &&
  equal(one.items, other.items.slice(0, one.items.length));

/** Whether a field holds null, an empty text or an empty list. */
const hasEmpty = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasEmpty)
    : isFields(value) &&
      Object.values(value).some(
        (one) => one === null || one === '' || (Array.isArray(one) && one.length === 0) || hasEmpty(one),
      );

const isEmptyIn = (body: Body): boolean => body.kind === 'json' && hasEmpty(body.value);

const hash = /^(?:(?=\D*\d)(?=\d*[a-f])[\da-f]{8,}|\d{32,})$/i;

/** Kinds of characters that recorders write otherwise: in another encoding, escaped, or not at all. */
const kinds: readonly RegExp[] = [/[^\p{ASCII}\p{Cs}]/u, /["&<>]/, /['\\%]/, /\p{Cc}|^ | $| {2}/u];

/** What recorders write at the end of a text that they cut. */
const afterCut = /\s*(?:\.{3}|…|[[(<]?truncated.{0,20})$/i;
const longEnough = 20;

/** What every encoding leaves of a text. */
const bare = (text: string): string =>
  text.replaceAll(/&#?\w+;|\\u[\da-f]{4}|\\[a-z]|%[\da-f]{2}/gi, '').replaceAll(/[^a-z\d]/gi, '');

/** Whether a text may be another one in another encoding, or cut. */
function mayBeFormOf(shown: string, given: string): boolean {
  if (shown === given || shown === '') return false;
  const [rest, whole] = [bare(shown.replace(afterCut, '')), bare(given)];
  return rest === whole || (whole.startsWith(rest) && (afterCut.test(shown) || rest.length >= longEnough));
}

/** Ids, times and words of an enumeration. Invented names are none of these. */
const isFixed = (text: string): boolean => isUuid(text) || /^\d{4}-|^[a-z]+(?:_[a-z]+)*$|^[\w+.-]+:\/\//.test(text);

/** The fields of an object that hold ids, by the end of their names. */
const idsIn = (body: Body | undefined): string[] =>
  body?.kind === 'json' && isFields(body.value)
    ? Object.entries(body.value).flatMap(([name, id]) => (/(?:^i|I)d$/.test(name) && typeof id === 'string' ? id : []))
    : [];

/** Limits of memory: how many texts are remembered, and how long ones. */
const [mostTexts, longestText] = [20_000, 2000];
/** How many values of a field show that none is as it was sent, and how many texts that nothing is empty. */
const [enough, many] = [3, 20];

interface Field {
  sent: number;
  others: number;
  isIntact: boolean;
}

const isReplaced = ({ sent, others, isIntact }: Field): boolean => !isIntact && sent >= enough && others >= enough;

/**
 * What a recording shows of its recorder. A text that comes back as it was sent is a witness: its recorder leaves such texts
 * alone, so the service has changed another one like it.
 */
export class Replacements {
  readonly #sent = new Recent<string, true>(mostTexts, () => 1);
  /** By field: how many texts were sent in it, how many others are shown, and whether one came back as it was sent. */
  readonly #fields = new Map<string, Field>();
  readonly #intact = new Set<RegExp>();
  #longest = 0;
  /** By request or answer: whether its body is as long as it was announced. */
  readonly #isFull = new WeakMap<object, boolean | undefined>();
  /** The longest list of an answer that may be cut. */
  #longestList = 0;
  #keepsEmpty = false;
  #texts = 0;
  /** Ids that stand for several things. */
  readonly #shared = new Set<string>();
  readonly #noted = new WeakSet<Body>();

  note({ exchange: { request, response }, isFull }: Recorded): void {
    this.#isFull.set(request, isFull.request);
    for (const leaf of this.#once(request.body).filter(isLeaf)) {
      if (!this.#isSent(leaf)) this.#field(leaf).sent += 1;
      this.#sent.set(labelOf(leaf), true);
    }
    if (!response) return;
    this.#isFull.set(response, isFull.response);
    for (const part of this.#once(response.body)) {
      if (isList(part)) {
        if (!isFull.response) this.#longestList = Math.max(this.#longestList, part.items.length);
        continue;
      }
      this.#texts += 1;
      if (this.#isSent(part)) this.#witness(part);
      else this.#field(part).others += 1;
    }
    this.#keepsEmpty ||= isEmptyIn(response.body);
    const [first, ...others] = idsIn(response.body);
    if (first !== undefined && others.length > 1 && others.every((id) => id === first)) this.#shared.add(first);
  }

  #isSent = (leaf: Leaf): boolean => this.#sent.get(labelOf(leaf)) !== undefined;

  /** Polls mostly get the same answer. */
  #once(body: Body): readonly (Leaf | List)[] {
    if (this.#noted.has(body)) return [];
    this.#noted.add(body);
    return partsOf(body).filter((part) => isList(part) || part.text.length <= longestText);
  }

  #field(leaf: Leaf) {
    const name = nameOf(leaf);
    const field = this.#fields.get(name) ?? { sent: 0, others: 0, isIntact: false };
    if (this.#fields.size < mostTexts) this.#fields.set(name, field);
    return field;
  }

  #witness(leaf: Leaf): void {
    this.#field(leaf).isIntact = true;
    this.#longest = Math.max(this.#longest, leaf.text.length);
    for (const kind of kinds) if (kind.test(leaf.text)) this.#intact.add(kind);
  }

  /** Whether no text like it came back as it was sent. */
  #isOdd = (text: string): boolean =>
    text.length > Math.max(this.#longest, longEnough) ||
    kinds.some((kind) => kind.test(text) && !this.#intact.has(kind));

  /** What a recorder has made of a text, if that is likely. `odd`: the texts of the evidence that it may have changed. */
  #doing(leaf: Leaf, odd: readonly string[]): string | undefined {
    const { text } = leaf;
    const word = replacementIn(text);
    if (word !== undefined) return `is ${jsonText(word)}, a placeholder`;
    if (this.#isSent(leaf)) return undefined;
    if (hash.test(text)) return `is ${jsonText(text)}, a hash`;
    const replaced = [...this.#fields].flatMap(([name, field]) => (isReplaced(field) ? name : []));
    if (replaced.includes(nameOf(leaf)) || (replaced.length > 0 && !isFixed(text)))
      return `is ${jsonText(text)}, and no text of ${replaced[0]} is as it was sent`;
    const form = odd.some((one) => mayBeFormOf(text, one));
    return form ? `is ${jsonText(text)}, which may be cut, or in another encoding` : undefined;
  }

  /** The finding without the faults that rest on what is likely replaced; inconclusive if none is left. */
  without(finding: Finding, evidence: readonly Exchange[]): Finding {
    if (finding.kind !== 'violated') return finding;
    const shown = evidence.filter(({ id }) => finding.exchanges.includes(id));
    const messages = shown.flatMap(({ request, response }) => [request, ...(response ? [response] : [])]);
    const parts = messages.flatMap((message) => partsOf(message.body).map((part) => ({ ...part, message })));
    const [leaves, lists] = [parts.filter(isLeaf), parts.filter(isList)];
    const [sentNames, answeredNames] = [false, true].map(
      (isAnswer) => new Set(leaves.flatMap((leaf) => ('status' in leaf.message === isAnswer ? labelOf(leaf) : []))),
    );
    // No longer list came by this recorder, or one that continues it is shown.
    const cut = lists.filter((list) => {
      const isFull = this.#isFull.get(list.message);
      const isLongest = 'status' in list.message && list.items.length >= this.#longestList;
      return !isFull && (isFull === false || isLongest || lists.some((other) => begins(list, other)));
    });
    const texts = [...leaves.map(({ text }) => text), ...shown.map(({ request }) => pathOf(request.url))];
    const odd = texts.filter(this.#isOdd);
    const shared = texts.find((text) => [...this.#shared].some((id) => text.includes(id)));
    const isSparse = !this.#keepsEmpty && this.#texts >= many;
    const reasonFor = ({ actual }: Fault): string | undefined => {
      if (shared !== undefined) return `${jsonText(shared)} stands for several things`;
      const text = `${finding.expected} ${actual}`;
      const mayBeEmpty =
        /null|""|\[\]|\{\}|nothing|lacks/.test(text) || shown.some(({ request }) => isEmptyIn(request.body));
      if (isSparse && mayBeEmpty) return 'no null, empty text or empty list is in any body';
      const words = new Set(text.match(/[\w-]+/g));
      // An item that is named is there.
      const list = cut
        .map(nameOf)
        .find((name) => words.has(name) && !new RegExp(`${literally(name)}[[/]\\d`).test(text));
      if (list !== undefined) return `${list} may have had more items`;
      // A service may mask a part of something, but writes no placeholders.
      const isNamed = (leaf: Leaf) =>
        text.includes(jsonText(leaf.text)) ||
        (!(sentNames?.has(labelOf(leaf)) && answeredNames?.has(labelOf(leaf))) &&
          (isMasked(leaf.text) ? leaf.path.slice(-1) : leaf.path).some((name) => words.has(name)));
      for (const leaf of leaves.filter(isNamed)) {
        const doing = this.#doing(leaf, odd);
        if (doing !== undefined) return `${nameOf(leaf)} ${doing}`;
      }
      return undefined;
    };
    const [first] = finding.faults.flatMap((fault) => reasonFor(fault) ?? []);
    if (first === undefined) return finding;
    const faults = finding.faults.filter((fault) => reasonFor(fault) === undefined);
    const why = `${first}: most likely a recorder or an anonymiser did that, so it cannot be compared. Judge the recording as it was before.`;
    return faults.length > 0 ? { ...finding, faults } : inconclusive(shown, why);
  }
}
