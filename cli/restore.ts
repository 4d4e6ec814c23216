/** Runs `restore`. */

import { progress } from '../conformance/engine/report/progress.js';
import { visible } from '../conformance/engine/report/text.js';
import { fileJournal } from '../conformance/engine/send/journal/file-journal.js';
import type { CopiesEntry } from '../conformance/engine/send/journal/journal.js';
import { lockTarget } from '../conformance/engine/send/journal/lock.js';
import { restore } from '../conformance/restore.js';
import { makeTarget } from '../conformance/suite/target/make.js';
import { readTarget } from '../conformance/suite/target/read.js';
import type { Context } from './context.js';
import { exitCodes } from './errors.js';
import { stateIn } from './state.js';

export interface RestoreArguments {
  readonly target?: string;
  readonly insecureHttp?: boolean;
  readonly forget?: boolean;
  readonly quiet?: boolean;
  readonly state?: string;
}

/** Puts back what ended runs left changed, and reports what stays. Without a target, lists what there is. */
export async function runRestore(baseUrl: string | undefined, args: RestoreArguments, context: Context): Promise<void> {
  const { stdout, stderr, env } = context;
  const say = (line: string) => stdout.write(`${visible(line)}\n`);
  let isKnown = true;
  const warn = (text: string) => stderr.write(`workflow-contract: ${visible(text)}\n`);
  const folder = await stateIn(args.state, env);
  const journal = fileJournal(folder, (text) => {
    isKnown = false;
    // If the journal cannot be read, the exit code must say that something may be left.
    context.exitCode = exitCodes.incomplete;
    warn(text);
  });
  if (baseUrl === undefined && args.target === undefined) {
    const [changed, copied] = [await journal.profiles(''), untidied(await journal.copies(''))];
    for (const { baseUrl: where, profile, startedAt } of changed)
      say(`${where}: the run of ${startedAt} left the profile ${profile} changed.`);
    for (const { baseUrl: where, profile, untidied: ids } of copied)
      say(
        `${where}: a run left copies of the profile ${profile} with its cookies and credentials: ${ids.map(({ id }) => id).join(', ')}.`,
      );
    if (changed.length + copied.length > 0) {
      say('To put it back, name the service: --target FILE, or its base URL. --forget removes the journal entries.');
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
  const copied = untidied(await journal.copies(place));
  const used = [...new Set([...changed, ...copied.map(({ profile }) => profile)])];
  const declared = target.facts.profile === undefined || args.forget ? [] : [target.facts.profile];
  // Wait for runs that are still going: they restore their changes themselves.
  const release = await lockTarget(place, [...new Set([...used, ...declared])], {
    folder,
    signal: context.interrupted,
    say: warn,
  });
  if (args.forget) {
    await Promise.all([
      ...changed.map((profile) => journal.forgetProfile(place, profile)),
      ...copied.map((entry) => journal.writeCopies({ ...entry, copies: [], untidied: [] })),
    ]).finally(release);
    for (const id of used) say(`The journal entry of the profile ${id} is removed.`);
    if (used.length === 0 && isKnown) say(`Nothing was left changed at ${place}.`);
    return;
  }
  const { profiles, left, copies } = await restore({
    target,
    journal,
    progress: progress(stderr, { quiet: args.quiet ?? false }),
  }).finally(release);
  for (const id of profiles) if (!left.some((one) => one.id === id)) say(`The profile ${id} is as it was.`);
  for (const { id, note } of left) say(`The profile ${id} ${note}.`);
  for (const { id, note } of copies) say(`The profile ${id} is ${note}.`);
  if (profiles.length + copied.length + left.length === 0 && isKnown) say(`Nothing is left changed at ${place}.`);
  const still = untidied(await journal.copies(place));
  for (const { untidied: ids } of still) for (const { id } of ids) say(`The copy ${id} could not be reached.`);
  if (left.length + still.length === 0) return;
  say('What is left changed stays in the journal: run the same command to try again.');
  context.exitCode = exitCodes.incomplete;
}

/** The entries of runs that were killed before they had emptied their copies. */
const untidied = (entries: readonly CopiesEntry[]): CopiesEntry[] =>
  entries.filter((entry) => entry.untidied.length > 0);
