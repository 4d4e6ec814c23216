import { fileJournal } from '../conformance/drive/journal/file-journal.js';
import { holdThings } from '../conformance/drive/journal/hold.js';
import { progress } from '../conformance/report/progress.js';
import { visible } from '../conformance/report/text.js';
import { restore } from '../conformance/restore.js';
import { stateFolder } from '../conformance/settings/state-folder.js';
import { makeTarget } from '../conformance/settings/target/make.js';
import { readTarget } from '../conformance/settings/target/read.js';
import type { Context } from './context.js';
import { exitCodes } from './errors.js';

export interface RestoreArguments {
  readonly target?: string;
  readonly insecureHttp?: boolean;
  readonly forget?: boolean;
  readonly quiet?: boolean;
}

/** Puts back what ended runs left changed, and says what of it stays; without a target, says where there is something. */
export async function runRestore(baseUrl: string | undefined, args: RestoreArguments, context: Context): Promise<void> {
  const { stdout, stderr, env } = context;
  const say = (line: string) => stdout.write(`${visible(line)}\n`);
  let isKnown = true;
  const warn = (text: string) => stderr.write(`workflow-contract: ${visible(text)}\n`);
  const folder = stateFolder(env);
  const journal = fileJournal(folder, (text) => {
    isKnown = false;
    // Whoever calls wants to know what could not be found out.
    context.exitCode = exitCodes.incomplete;
    warn(text);
  });
  if (baseUrl === undefined && args.target === undefined) {
    const all = await journal.profiles('');
    for (const { baseUrl: where, profile, startedAt } of all)
      say(`${where}: the run of ${startedAt} left the profile ${profile} changed.`);
    if (all.length > 0) {
      say('To put it back, name the service: --target FILE, or its base URL. With --forget nothing of it is kept.');
      context.exitCode = exitCodes.incomplete;
    } else if (isKnown) say('Nothing is left changed.');
    return;
  }
  const { insecureHttp = false } = args;
  const target =
    args.target === undefined
      ? makeTarget(baseUrl ?? '', env, { insecureHttp })
      : readTarget(args.target, env, { insecureHttp, ...(baseUrl !== undefined && { baseUrl }) });
  const place = target.facts.baseUrl;
  const changed = (await journal.profiles(place)).map(({ profile }) => profile);
  // What a run that goes on has changed is its own to put back.
  const release = await holdThings(place, changed, { folder, signal: context.interrupted, say: warn });
  if (args.forget) {
    await Promise.all(changed.map((profile) => journal.forgetProfile(place, profile))).finally(release);
    for (const id of changed) say(`Nothing is remembered of the profile ${id} any more.`);
    if (changed.length === 0 && isKnown) say(`Nothing was left changed at ${place}.`);
    return;
  }
  const { profiles, left } = await restore({
    target,
    journal,
    progress: progress(stderr, { quiet: args.quiet ?? false }),
  }).finally(release);
  for (const id of profiles) if (!left.some((one) => one.id === id)) say(`The profile ${id} is as it was.`);
  for (const { id, note } of left) say(`The profile ${id} ${note}.`);
  if (profiles.length === 0 && isKnown) say(`Nothing is left changed at ${place}.`);
  if (left.length === 0) return;
  say('What is left changed stays remembered: the same command tries again.');
  context.exitCode = exitCodes.incomplete;
}
