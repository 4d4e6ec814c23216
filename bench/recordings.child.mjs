// A process in which recordings are judged or parsed once, and measured. What judges is that of dist/, as in the package:
// no loader of TypeScript is in the way.
import { readFileSync } from 'node:fs';

/** Each returns the number of exchanges. */
const work = {
  judge: async (files) => {
    const { fileSource, judgeRecordings } = await import('../dist/conformance.js');
    return (await judgeRecordings(files.map(fileSource))).requests;
  },
  parse: async (files) =>
    files.reduce((sum, file) => sum + JSON.parse(readFileSync(file, 'utf8')).log.entries.length, 0),
};

process.once('message', async ([name, [first, ...files]]) => {
  await work[name]([first]);
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const exchanges = await work[name](files);
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.send({ exchanges, cpuMs: (user + system) / 1000, wallMs: performance.now() - begun, peakMb });
  process.disconnect();
});
