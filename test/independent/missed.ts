const normalised = 'Texts that come back composed otherwise, or without blanks at their ends, are normalised: a gap.';
const notCertain = 'A refusal for which there may be another reason leaves the rule in doubt: the run is incomplete.';
const untouched = 'The service of this way has nothing that the fault could touch.';

const behind = 'A listing may be a little behind: what is listed later was not lost (files-tracked-during-run).';
const inOneUpdate = 'In which order an update deletes and adds is not said.';
const deletedByAnother =
  'Another client may have deleted the pool, since no hook makes one for the run: the run is incomplete.';
const limits = 'A service may have limits that are not shown (unknown-limits).';
const wrongWorkflow = 'It may be the target file that is wrong of its workflow: the run is incomplete.';
const declaredProfile = 'It takes a profile that the run did not make: it reads none (only copies change).';
const fewCopies = 'Copies stay, so a run makes few, and none of this kind.';
const version = 'A version that is not declared may exist.';

/** Faults that the suite does not report, and why. `npm run independent` compares the list with what it measures. */
export const missed: Readonly<Record<string, string>> = {
  'inputs-decomposed': normalised,
  'inputs-normalised': normalised,
  'inputs-trimmed': normalised,
  'metadata-normalised': normalised,
  'metadata-trimmed': normalised,
  'name-normalised': normalised,
  'name-trimmed': normalised,
  'description-trimmed': normalised,
  'credential-name-trimmed': normalised,
  'cookie-value-trimmed': normalised,
  'cookie-domain-with-dot': 'A leading dot of a domain means nothing to browsers.',
  'cookie-domain-without-dot': 'A leading dot of a domain means nothing to browsers.',
  'prefix-in-capitals': 'Addresses are compared in either case.',
  'inputs-null-dropped': 'Null is taken for absent.',
  'inputs-nul-ends-text': 'NUL is not sent: many stores refuse it.',
  'start-waits-for-the-end': 'An answer that is late, but comes before the run has ended, may be slow for any reason.',
  'start-slow-with-inputs': 'An answer that is late, but comes before the run has ended, may be slow for any reason.',
  'terminal-at-before-creation': 'The clock that dates ends may be five seconds behind that which dates creations.',
  'pauses-completes': wrongWorkflow,
  'awaiting-is-paused': wrongWorkflow,
  'slow-never-ends': 'A workflow of which no run ends may take that long: the run is incomplete.',
  'files-lost-when-sync': 'Files may be listed late: the run is incomplete.',
  'soft-timeout-not-shown': 'An execution may show no options: executionOptions is optional.',
  'queue-other-group-waits':
    'It takes two groups in which something waits: the target file declares one that may be filled.',
  'copy-of-a-long-name-is-500':
    'It takes a copy of a profile with a name of full length: copies stay, so a run makes few.',
  'queue-by-id': 'With this seed, the ids of what waits are in the order in which it was queued; others show it.',
  'queue-sync-last': 'A synchronous start that is queued comes last, with nothing behind it.',
  'old-group-holds-none': notCertain,
  'group-free-refused': 'It refuses one start of three, which may be for want of room: others may use the group.',
  'sync-waits-ten-seconds-at-most': 'It takes a run of more than ten seconds: the target file declares none.',
  'sync-default-10': 'It takes a run of more than ten seconds: the target file declares none.',
  'file-size-negative': 'That a size is not negative is not said.',
  'gateway-preset-not-set': 'It takes a preset that exists: the target file declares none.',
  'update-does-not-touch': 'Whether updatedAt changes with each update is not said.',
  'credential-update-changes-id': 'It is not said whether a credential keeps its id when it is updated.',
  'credential-update-renames': 'The case of names of credentials means nothing.',
  'copy-resets-stickyIP': untouched,
  'copy-without-gateway': untouched,
  'copy-elsewhere-without-extensions': 'Extensions belong to an organization: another one may not have them.',
  'copy-created-as-source': 'Times of a copy are not compared with those of its source.',
  'queue-refused-at-capacity-503': 'A 503 may be an outage: the rule is in doubt, and the run is incomplete.',
  'files-first-only': 'Which files a run leaves only the listing tells (files-all).',
  'extensions-first-only': 'It takes two extensions of the organization: the profile of this way has one.',
  'refused-update-touches': 'When updatedAt changes is not said, but that it does not go back (update-keeps-identity).',
  'cookie-domain-lower-case': 'The case of a host means nothing.',
  'cookie-expiry-invented': 'A service may end what was given no end: expiry is optional (cookie-fields).',
  'cookies-of-expired-dropped': 'A cookie whose time is over may be gone.',
  'cookies-without-id': 'The id of a cookie is optional (cookie-fields).',
  'credential-name-lower-case': 'The case of names of credentials means nothing (credentials-updated).',
  'copy-with-prefix-of-source-lost': 'Whether a copy has the prefix of its source is a gap (duplicate-inbox-prefix).',
  'copy-cookies-are-the-sources': untouched,
  'files-404-when-starting': behind,
  'files-as-first-listed': untouched,
  'files-of-unknown-404-says-what-it-likes': 'An explanation may be in whatever words or language (files-404).',
  'metadata-many-refused': limits,
  'metadata-empty-value-refused': limits,
  'queue-pauses':
    'A person may have paused what began, and what waits behind it may wait for its profile: the run is incomplete.',
  'sync-timeout-25-is-over-at-20': 'It takes a run of more than ten seconds: the target file declares none.',
  'temp-files-second-refused': 'It takes two temp files: the target file declares one.',
  'cookie-replaced-in-one-update-is-gone': inOneUpdate,
  'credential-replaced-in-one-update-is-gone': inOneUpdate,
  'unknown-version-4-runs': version,
  'pool-deleted-by-whom-it-refuses': deletedByAnother,
  'pool-deleted-without-key-though-401': deletedByAnother,
  'pool-goes-though-401': deletedByAnother,
  'pool-goes-though-403': deletedByAnother,
  'update-reaches-every-profile': 'Another client may have set a flag of the declared profile.',
  'copy-without-proxy-mode': declaredProfile,
  'copy-without-system': declaredProfile,
  'copy-of-another-country': declaredProfile,
  'copy-of-a-copy-goes-home': fewCopies,
  'third-copy-lacks-the-last-cookie': fewCopies,
};
