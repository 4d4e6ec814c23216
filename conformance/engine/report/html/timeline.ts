/** Draws when each journey ran, sent requests and waited. */
import { byKey } from '../../rule/items-by-key.js';
import type { JourneyTime, Report, ReportedExchange } from '../../vocabulary.js';
import { duration, plural } from '../digest.js';
import { shorten } from '../text.js';
import { type Html, h, scrolling } from './parts.js';

interface Row {
  readonly journey: string;
  readonly from: number;
  readonly to: number;
  readonly waitedMs: number | undefined;
  readonly exchanges: readonly ReportedExchange[];
}

/** The resolution of the bar of a run. Requests in the same unit are drawn as one. */
const units = 2000;

export function timeline(report: Report): Html | undefined {
  const rows = journeyRows(report);
  const end = Math.max(report.durationMs, ...rows.map(({ to }) => to), 1);
  if (rows.length === 0) return undefined;
  const ticks = scale(end);
  const table = h`<table class="timeline"><thead><tr><th scope="col">Journey</th><th scope="col"><span class="unseen">When</span>
<svg class="axis" aria-hidden="true">${ticks.map((ms) => h`<text x="${percent(ms, end)}%" y="12">${Number((ms / 1000).toFixed(3))} s</text>`)}</svg></th>
<th scope="col" class="count">Took</th><th scope="col" class="count">Waited</th><th scope="col" class="count">Sent</th></tr></thead>
<tbody>${rows.map((row) => line(row, end, ticks))}</tbody></table>`;
  return h`<p class="key"><svg class="swatch" aria-hidden="true"><rect class="span" width="100%" height="100%"/></svg> a journey; <svg class="swatch" aria-hidden="true"><rect class="sent" width="100%" height="100%"/></svg> its requests under way. What lies between them is waiting for the target's states.</p>
${scrolling('Timeline of the run', table)}`;
}

function journeyRows(report: Report): Row[] {
  const begun = Date.parse(report.startedAt);
  const times = new Map<string, JourneyTime>(report.journeys.map((time) => [time.journey, time]));
  const sent = byKey(
    report.exchanges.filter(({ journey }) => journey !== ''),
    ({ journey }) => journey,
  );
  return [...new Set([...sent.keys(), ...times.keys()])]
    .map((journey): Row => {
      const time = times.get(journey);
      const exchanges = sent.get(journey) ?? [];
      const starts = exchanges.map(({ at }) => at - begun);
      const ends = exchanges.map(({ at, durationMs }) => at - begun + durationMs);
      return {
        journey,
        from: least([...(time ? [time.startedMs] : []), ...starts]),
        to: -least([...(time ? [-time.endedMs] : []), ...ends.map((end) => -end)]),
        waitedMs: time?.waitedMs,
        exchanges: exchanges.map((one) => ({ ...one, at: one.at - begun })),
      };
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);
}

/** Spreading into Math.min would exceed the limit of arguments. */
const least = (values: readonly number[]): number =>
  values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);

const percent = (ms: number, end: number): string => ((ms / end) * 100).toFixed(2);

function line({ journey, from, to, waitedMs, exchanges }: Row, end: number, ticks: readonly number[]): Html {
  const place = (ms: number) => Math.round((ms / end) * units);
  const spans = merge(
    exchanges.map(({ at, durationMs }) => [place(at), Math.max(place(at + durationMs), place(at) + 2)]),
  );
  return h`<tr><th scope="row">${shorten(journey, 60)}</th><td><svg class="bar" viewBox="0 0 ${units} 10" preserveAspectRatio="none" aria-hidden="true">
${ticks.map((ms) => h`<rect class="tick" x="${place(ms)}" width="3" height="10"/>`)}<rect class="span" x="${place(from)}" y="1" width="${Math.max(place(to) - place(from), 2)}" height="8"/>
<path class="sent" d="${spans.map(([a, b]) => `M${a} 1H${b}V9H${a}z`).join('')}"/></svg></td>
<td class="count">${duration(to - from)}</td><td class="count">${waitedMs === undefined ? '' : duration(waitedMs)}</td><td class="count"><span class="unseen">${plural(exchanges.length, 'request')}</span><span aria-hidden="true">${exchanges.length}</span></td></tr>`;
}

/** Merges spans that touch, so that the drawing stays small. */
function merge(spans: [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Round times for the marks of the axis: five to ten of them. */
function scale(end: number): number[] {
  const rough = end / 9;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}
