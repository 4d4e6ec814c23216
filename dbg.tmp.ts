import { checkInProcess } from './proof/in-process.js';
import { toTarget } from './conformance/suite/target/target.js';
import { createReference, findFault } from './deviations/index.js';
const id = process.argv[2]!;
const options = { latencyMs: 20, faults: [findFault(id)] };
const { pace, ...file } = createReference(options as any).target as any;
const run = await checkInProcess(options as any, { target: toTarget({ ...file, pace: { ...pace, latencyGraceMs: 120 } }), seed: 1 });
const from = Date.parse(run.startedAt);
for (const e of run.evidence.exchanges) if (['capacity', 'queue-alone'].includes(e.mark?.journey ?? '') ) {
  const b: any = e.response?.body.kind === 'json' ? e.response.body.value : {};
  console.log(((e.at - from) / 1000).toFixed(2), e.mark?.journey, e.mark?.step, e.response?.status, b.status ?? b.code, (b.executionId ?? e.resource ?? '').slice(0, 4), e.mark?.superseded ? 'superseded' : '');
}
for (const r of run.rules) if (r.verdict === 'violated' || r.verdict==='inconclusive') console.log(r.verdict, r.id, r.why);
