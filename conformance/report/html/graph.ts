import { isTerminal } from '../../../generated/lifecycle.js';
import type { Report, Transition } from '../../vocabulary.js';
import { plural } from '../digest.js';
import { shorten } from '../text.js';
import { type Arrow, arrows, type Box, start, states } from './layout.js';
import { scrolling } from './parts.js';
import { type Html, h } from './tag.js';

const standings = {
  shown: 'the interface shows it',
  unshown: 'the interface does not show it, and does not forbid it',
  forbidden: 'a terminal state was left',
} as const;

/** The states and the transitions between them that were observed: a picture, its legend, and the same as a table. */
export function stateGraph({ transitions }: Report): Html {
  if (transitions.length === 0) return h`<p>No execution was followed, so no transition was observed.</p>`;
  const seen = new Set(transitions.flatMap(({ from, to }) => [from, to]));
  const drawn = arrows(transitions);
  const forbidden = transitions.filter(({ standing }) => standing === 'forbidden');
  const picture = h`<svg class="graph" viewBox="0 20 920 400" role="img" aria-labelledby="graph-title">
<title id="graph-title">${plural(transitions.length, 'transition')} between states, ${forbidden.length} of them forbidden; the table below has them all.</title>
<defs>${Object.keys(standings).map(
    (standing) =>
      h`<marker id="tip-${standing}" class="${standing}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>`,
  )}</defs>
${drawn.map(line)}
<circle class="start" cx="${start.x}" cy="${start.y}" r="6"/>
${[...states].map(([name, box]) => state(name, box, seen.has(name)))}
${drawn.map(label)}</svg>`;
  const list = transitions.map(
    ({ from, to, count, standing }) =>
      h`<li class="${standing}">${standing === 'forbidden' && '✕ '}${from === null ? 'new' : shorten(from, 200)} → ${shorten(to, 200)} <span class="times">${count} · ${standing}</span></li>`,
  );
  return h`<div class="wide">${picture}</div><ol class="narrow transitions">${list}</ol>
<ul class="legend">${Object.entries(standings).map(
    ([standing, means]) =>
      h`<li><svg class="graph" viewBox="0 0 44 12" aria-hidden="true"><path class="line ${standing}" d="M1 6H36" marker-end="url(#tip-${standing})"/></svg> ${standing}: ${means}</li>`,
  )}</ul>
<p class="key">A box with corners is a terminal state; a faint one is on none of the observed transitions. The numbers count how often.</p>
<details class="as-table"><summary>The same as a table</summary>${scrolling('Transitions', table(transitions))}</details>`;
}

function state(name: string, { x, y, width, height }: Box, wasSeen: boolean): Html {
  const kind = `${isTerminal(name) ? 'terminal' : ''} ${wasSeen ? '' : 'never'}`;
  return h`<g class="state ${kind}"><rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="${isTerminal(name) ? 3 : 18}"/>
<text x="${x}" y="${y + 4.5}">${name}</text></g>`;
}

const round = (value: number): string => value.toFixed(1);

const line = ({ transition, from, control, to }: Arrow): Html =>
  h`<path class="line ${transition.standing}" d="M${round(from.x)} ${round(from.y)}Q${round(control.x)} ${round(control.y)} ${round(to.x)} ${round(to.y)}" marker-end="url(#tip-${transition.standing})"/>`;

const label = ({ transition: { count, standing }, label: { x, y } }: Arrow): Html =>
  h`<text class="count ${standing}" x="${round(x)}" y="${round(y + 4.5)}">${standing === 'forbidden' && '✕ '}${count}</text>`;

const table = (transitions: readonly Transition[]): Html =>
  h`<table><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col" class="count">Times</th><th scope="col">Standing</th></tr></thead>
<tbody>${transitions.map(
    ({ from, to, count, standing }) =>
      h`<tr class="${standing}"><td>${from === null ? 'new execution' : shorten(from, 200)}</td><td>${shorten(to, 200)}</td><td class="count">${count}</td><td>${standing}</td></tr>`,
  )}</tbody></table>`;
