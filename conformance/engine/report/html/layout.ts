/** Where the states of the graph stand, and how a line finds its way between two of them. Lengths in SVG units. */
import { contract } from '../../contract.js';
import { once } from '../../memoize.js';
import type { Transition } from '../../vocabulary.js';

type Step = Pick<Transition, 'from' | 'to'>;

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Arrow<Of extends Step = Transition> {
  readonly transition: Of;
  readonly from: Point;
  readonly control: Point;
  readonly to: Point;
  readonly label: Point;
}

const boxHeight = 36;
const letter = 7.9;
export const start: Box = { x: 24, y: 190, width: 14, height: 14 };

const box = (name: string, x: number, y: number): [string, Box] => [
  name,
  { x, y, width: name.length * letter + 26, height: boxHeight },
];

/** Where each state of the interface stands. */
export const states = once(() => new Map(Object.entries(contract().picture).map(([name, [x, y]]) => box(name, x, y))));

const boxFor = (name: string | null): Box | undefined => (name === null ? start : states().get(name));

const bends = [0, 34, -34, 64, -64, 100, -100, 140, -140, 190, -190];
const places = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74];
const clearance = 10;
const labelSize = { width: 34, height: 18 };

/** Lays every transition between two known states; those of unknown states are left to the table. */
export function arrows<Of extends Step>(transitions: readonly Of[]): Arrow<Of>[] {
  const labels: Box[] = [];
  const isBoth = ({ from, to }: Step) => transitions.some((other) => other.from === to && other.to === from);
  return transitions.flatMap((transition): Arrow<Of>[] => {
    const [a, b] = [boxFor(transition.from), boxFor(transition.to)];
    if (!a || !b || a === b) return [];
    const others = [start, ...states().values()].filter((one) => one !== a && one !== b);
    // Two ways between the same states bend apart: a bend is to the left of its direction.
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

/** Where the line from the middle of a box to a point leaves the box, a little outside. */
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

/** How much of a curve runs over boxes. */
const crossings = (one: Curve, boxes: readonly Box[]): number =>
  samples.filter((t) => boxes.some((other) => overlap(other, { ...at(one, t), width: 0, height: 0 }, clearance)))
    .length;

const overlap = (a: Box, b: Box, gap: number): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 + gap && Math.abs(a.y - b.y) < (a.height + b.height) / 2 + gap;
