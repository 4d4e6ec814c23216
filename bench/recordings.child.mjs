// A process in which recordings are judged, parsed or validated once, and measured. What judges is that of dist/, as in the
// package: no loader of TypeScript is in the way, in none of its threads.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Each tells how many exchanges there were. */
const work = {
  judge: (files) => judged(files, 1),
  threads: (files) => judged(files, availableParallelism()),
  parse: async (files) =>
    files.reduce((sum, file) => sum + JSON.parse(readFileSync(file, 'utf8')).log.entries.length, 0),
  prism: async (files) => (await import('./prism.ts')).validateWithPrism(files),
};

async function judged(files, jobs) {
  const { fileSource, judgeRecordings } = await import('../dist/conformance.js');
  return (await judgeRecordings(files.map(fileSource), { jobs })).requests;
}

process.once('message', async ([name, [first, ...files]]) => {
  await work[name]([first]);
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const exchanges = await work[name](files);
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.send({ exchanges, cpuMs: (user + system) / 1000, wallMs: performance.now() - begun, peakMb });
  process.disconnect();
});
