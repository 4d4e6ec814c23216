import { contract } from '../../contract.js';
import { once } from '../../memoize.js';
import type { Report, Transition } from '../../vocabulary.js';
import { plural } from '../digest.js';
import { shorten } from '../text.js';
import { type Html, h, scrolling } from './parts.js';

/** Draws the graph of states: boxes for states, and curves for transitions. Lengths are in SVG units. */

type Step = Pick<Transition, 'from' | 'to'>;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

interface Arrow<Of extends Step = Transition> {
  readonly transition: Of;
  readonly from: Point;
  readonly control: Point;
  readonly to: Point;
  readonly label: Point;
}

const boxHeight = 36;
const letter = 7.9;
const start: Box = { x: 24, y: 190, width: 14, height: 14 };

const box = (name: string, x: number, y: number): [string, Box] => [
  name,
  { x, y, width: name.length * letter + 26, height: boxHeight },
];

export const states = once(
  () => new Map(Object.entries(contract().statePositions).map(([name, [x, y]]) => box(name, x, y))),
);

const boxFor = (name: string | null): Box | undefined => (name === null ? start : states().get(name));

const bends = [0, 34, -34, 64, -64, 100, -100, 140, -140, 190, -190];
const places = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74];
const clearance = 10;
const labelSize = { width: 34, height: 18 };

/** Places all transitions between known states. Those of unknown states are only in the table. */
export function arrows<Of extends Step>(transitions: readonly Of[]): Arrow<Of>[] {
  const labels: Box[] = [];
  const isBoth = ({ from, to }: Step) => transitions.some((other) => other.from === to && other.to === from);
  return transitions.flatMap((transition): Arrow<Of>[] => {
    const [a, b] = [boxFor(transition.from), boxFor(transition.to)];
    if (!a || !b || a === b) return [];
    const others = [start, ...states().values()].filter((one) => one !== a && one !== b);
    // Transitions in both directions bend apart: a bend is to the left of its direction.
    const candidates = (isBoth(transition) ? bends.filter((bend) => bend > 0) : bends).map((bend) => curve(a, b, bend));
    const best = candidates.toSorted((one, two) => crossings(one, others) - crossings(two, others))[0];
    if (!best) return [];
    const spots = places.map((place) => ({ ...at(best, place), ...labelSize }));
    const taken = (spot: Box) => [...labels, start, ...states().values()].some((one) => overlap(one, spot, 2));
    const label = spots.find((spot) => !taken(spot)) ?? spots[0];
    if (!label) return [];
    labels.push(label);
    return [{ transition, ...best, label: { x: label.x, y: label.y } }];
  });
}

type Curve = Pick<Arrow, 'from' | 'control' | 'to'>;

function curve(a: Box, b: Box, bend: number): Curve {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const control = {
    x: (a.x + b.x) / 2 + ((b.y - a.y) / length) * bend,
    y: (a.y + b.y) / 2 - ((b.x - a.x) / length) * bend,
  };
  return { from: edge(a, control, 2), control, to: edge(b, control, 7) };
}

/** The point where a line from the middle of a box to a point leaves the box, plus `gap`. */
function edge({ x, y, width, height }: Box, towards: Point, gap: number): Point {
  const [dx, dy] = [towards.x - x, towards.y - y];
  const reach = Math.min(
    (width / 2 + gap) / Math.max(Math.abs(dx), 0.001),
    (height / 2 + gap) / Math.max(Math.abs(dy), 0.001),
  );
  return { x: x + dx * reach, y: y + dy * reach };
}

function at({ from, control, to }: Curve, t: number): Point {
  const mix = (p: number, q: number, r: number) => (1 - t) ** 2 * p + 2 * (1 - t) * t * q + t ** 2 * r;
  return { x: mix(from.x, control.x, to.x), y: mix(from.y, control.y, to.y) };
}

const samples = Array.from({ length: 24 }, (_, index) => (index + 0.5) / 24);

/** How many samples of a curve are on boxes. */
const crossings = (one: Curve, boxes: readonly Box[]): number =>
  samples.filter((t) => boxes.some((other) => overlap(other, { ...at(one, t), width: 0, height: 0 }, clearance)))
    .length;

const overlap = (a: Box, b: Box, gap: number): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 + gap && Math.abs(a.y - b.y) < (a.height + b.height) / 2 + gap;

const standings = {
  shown: 'seen; the interface shows it',
  missed: 'the interface shows it',
  unshown: 'seen; the interface does not show it, and does not forbid it',
  forbidden: 'seen; a terminal state was left',
} as const;

/** A line of the graph: an observed transition, or one that the interface shows and that was not observed. */
interface Line extends Omit<Transition, 'standing'> {
  readonly standing: keyof typeof standings;
}

/** Transitions that the interface shows and that were not observed. The next state may be left open. */
function missed(transitions: readonly Transition[]): Line[] {
  return contract()
    .shownTransitions.filter(
      (shown) => !transitions.some(({ from, to }) => from === shown.from && (shown.to === null || shown.to === to)),
    )
    .map(({ from, to }) => ({ from, to: to ?? 'a state that is not named', count: 0, standing: 'missed' }));
}

/** A transition may have happened between two polls without being seen. */
const times = ({ count }: Line): string => (count === 0 ? 'not seen' : `at least ${count}`);

/** The observed states and transitions: a picture, its legend, and a table. */
export function stateGraph({ transitions }: Report): Html {
  if (transitions.length === 0) return h`<p>No execution was followed, so no transition was observed.</p>`;
  const seen = new Set(transitions.flatMap(({ from, to }) => [from, to]));
  const all: Line[] = [...transitions, ...missed(transitions)];
  const drawn = arrows(all);
  const forbidden = transitions.filter(({ standing }) => standing === 'forbidden');
  const picture = h`<svg class="graph" viewBox="0 20 920 400" role="img" aria-labelledby="graph-title">
<title id="graph-title">${plural(transitions.length, 'transition')} between states, ${forbidden.length} of them forbidden; the table below has them all.</title>
${drawn.map(line)}
<circle class="start" cx="${start.x}" cy="${start.y}" r="6"/>
${[...states()].map(([name, box]) => state(name, box, seen.has(name)))}
${drawn.map(label)}</svg>`;
  const list = all.map(
    (one) =>
      h`<li class="${one.standing}">${one.standing === 'forbidden' && '✕ '}${one.from === null ? 'new' : shorten(one.from, 200)} → ${shorten(one.to, 200)} <span class="times">${times(one)} · ${one.standing === 'missed' ? 'shown' : one.standing}</span></li>`,
  );
  // Outside the picture, since the legend needs the arrowheads even if the picture is hidden.
  const tips = h`<svg class="graph unseen" aria-hidden="true"><defs>${Object.keys(standings).map(
    (standing) =>
      h`<marker id="tip-${standing}" class="${standing}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>`,
  )}</defs></svg>`;
  return h`${tips}<div class="wide">${picture}</div><ol class="narrow transitions">${list}</ol>
<ul class="legend">${Object.entries(standings).map(
    ([standing, means]) =>
      h`<li><svg class="graph" viewBox="0 0 44 12" aria-hidden="true"><path class="line ${standing}" d="M1 6H36" marker-end="url(#tip-${standing})"/></svg> ${standing === 'missed' ? 'not seen' : standing}: ${means}</li>`,
  )}</ul>
<p class="key">A box with square corners is a terminal state; a faint one was not seen. A number says how many executions at least went from one state to the other, perhaps through states that no reading showed.</p>
<details class="as-table"><summary>The same as a table</summary>${scrolling('Transitions', table(all))}</details>`;
}

function state(name: string, { x, y, width, height }: Box, wasSeen: boolean): Html {
  const isEnd = contract().isTerminal(name);
  const kind = `${isEnd ? 'terminal' : ''} ${wasSeen ? '' : 'never'}`;
  return h`<g class="state ${kind}"><rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="${isEnd ? 3 : 18}"/>
<text x="${x}" y="${y + 4.5}">${name}</text></g>`;
}

const round = (value: number): string => value.toFixed(1);

const line = ({ transition, from, control, to }: Arrow<Line>): Html =>
  h`<path class="line ${transition.standing}" d="M${round(from.x)} ${round(from.y)}Q${round(control.x)} ${round(control.y)} ${round(to.x)} ${round(to.y)}" marker-end="url(#tip-${transition.standing})"/>`;

const label = ({ transition: { count, standing }, label: { x, y } }: Arrow<Line>): Html =>
  h`<text class="count ${standing}" x="${round(x)}" y="${round(y + 4.5)}">${standing === 'forbidden' && '✕ '}${count > 0 && `≥\u2009${count}`}</text>`;

const table = (lines: readonly Line[]): Html =>
  h`<table><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col" class="count">Seen</th><th scope="col">Standing</th></tr></thead>
<tbody>${lines.map(
    (one) =>
      h`<tr class="${one.standing}"><td>${one.from === null ? 'new execution' : shorten(one.from, 200)}</td><td>${shorten(one.to, 200)}</td><td class="count">${times(one)}</td><td>${one.standing === 'missed' ? 'shown' : one.standing}</td></tr>`,
  )}</tbody></table>`;
