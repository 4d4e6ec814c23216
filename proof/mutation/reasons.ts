/** Why the interface cannot show that a mutant of the reference service does otherwise. The first that fits is told. */
interface Reason {
  readonly why: string;
  /** Which survivors, by their names. */
  readonly of: readonly RegExp[];
}

/** A text that is changed into another one. */
const text = (file: string, ...texts: readonly string[]): RegExp =>
  new RegExp(`^${file} StringLiteral: '(${texts.join('|')})' → `);

export const reasons: readonly Reason[] = [
  {
    why: 'The words of a message are not shown.',
    of: [/ StringLiteral: (?:'[^']* [^']*'|`[^`]* [^`]*`?) → /],
  },
  {
    why: 'Which status a refusal has is a gap: one that no choice names is 400.',
    of: [
      text(
        'behaviour/starts.ts',
        'unknown-workflow-status',
        'exclusivity-status',
        'variant-key-status',
        'over-capacity-status',
      ),
      /^behaviour\/starts.ts EqualityOperator: tempFiles.length > 0 → /,
    ],
  },
  {
    why: 'What the server makes of a variantKey is a gap (variant-key-slug), also whether two keys make two.',
    of: [
      /^behaviour\/executions.ts \w+: (?:sharedStorageKey !==|choices\['variant-key-slug'\])/,
      text('behaviour/executions.ts', 'variant-key-slug', 'hidden'),
      /^behaviour\/starts.ts \w+: (?:choices\['variant-key-slug'\]|key \.normalize|words\.join|\/|\['variant'\])/,
      text('behaviour/starts.ts', '', '-', '_', 'underscores', 'variant', 'variant-key-slug'),
    ],
  },
  {
    why: 'An empty name of a parameter stands for the body as a whole.',
    of: [
      text(
        'behaviour/starts.ts',
        'executionOptions.softTimeoutMins',
        'executionOptions.variantKey',
        'profileId',
        'tempFiles',
      ),
    ],
  },
  {
    why: 'Nothing shows which version ran.',
    of: [/^behaviour\/starts.ts (?:LogicalOperator: body.head|BooleanLiteral: false → true)/],
  },
  {
    why: 'The schema refuses it before, or lets nothing else come so far.',
    of: [
      /^behaviour\/starts.ts \w+: (?:\(\{ )?profileId(?:, poolId| !== undefined && poolId)/,
      /^lifecycle.ts \w+: (?:!behaviour.mayMove|run.status === to|false → true|run.terminalAt)/,
    ],
  },
  {
    why: 'Whether temp files are refused with queue while there is capacity is a gap (queue-with-temp-files).',
    of: [/^behaviour\/starts.ts ConditionalExpression: queue && tempFiles/],
  },
  {
    why: 'How many executions an organization may run, and how many wait, is not shown; a target file declares a group.',
    of: [/^capacity.ts \w+: (?:organization\.|to === 'queue')/, text('capacity.ts', 'queue', 'reject')],
  },
  {
    why: 'A result and the failures of scripts are optional.',
    of: [
      /^behaviour\/executions.ts \w+: (?:\{ const \{ (?:result|scriptFailure)|scriptFailure &&|run.scriptFailures|\{ scriptFailures)/,
      /^lifecycle.ts ConditionalExpression: (?:result|failures) → false/,
    ],
  },
  {
    why: 'It happens when the service ends, or at another speed, or frees memory.',
    of: [
      /^behaviour\/executions.ts ArithmeticOperator: fileSyncMs \/ speed/,
      /^lifecycle.ts \w+: (?:step.ms \/ speed|\[\.\.\.timers\]|\{ (?:cancel|for|const timer)|timer →|watching\.size)/,
    ],
  },
  {
    why: 'What a service may leave out, and what it shows of labels and triggers, is a gap.',
    of: [
      /^behaviour\/executions.ts \w+: (?:choices\['(?:optional-fields|unstated-required-fields)'\]|all &&|file.mimeType|\{ mimeType|\{ \.\.\.trigger)/,
      text('behaviour/executions.ts', 'unstated-required-fields', 'few', 'id', 'name', 'userId'),
      /^behaviour\/executions.ts ConditionalExpression: softTimeoutMins !== undefined \|\| showsKey → true/,
    ],
  },
  {
    why: 'Who made a file, its directory, path, URL and size are whatever the service says (file-created-by), and when it is listed as well.',
    of: [
      /^behaviour\/executions.ts \w+: (?:choices\['file-created-by'\]|file.directory ===|`\/executions|`\$\{(?:origin|file.directory)|`Uploaded|now \+ fileSyncMs)/,
      text('behaviour/executions.ts', 'file-created-by', 'paths', 'system', 'uploads', 'user', 'agent'),
    ],
  },
  {
    why: 'What a reading shows of one that is queued is a gap (status-read-while-queued); a live view may be there while a run starts.',
    of: [
      /^behaviour\/executions.ts ConditionalExpression: (?:run.status === 'queued'|status === 'starting')/,
      text('behaviour/executions.ts', 'queued'),
    ],
  },
  {
    why: 'It takes an execution that was commented on or rerun, or a workflow of one’s own: the suite can make none.',
    of: [
      /^behaviour\/executions.ts \w+: (?:\[\.\.\.run.comments|run.parentExecutionId|\{ parentExecutionId|typeof concluded|'function')/,
    ],
  },
  {
    why: 'It does the same.',
    of: [
      /^capacity.ts (?:ObjectLiteral|OptionalChaining): /,
      /^behaviour\/starts.ts ConditionalExpression: softTimeoutMins/,
      text('behaviour/starts.ts', 'start'),
      /^lifecycle.ts ConditionalExpression: (?:(?:result|failures) → true|step.ms !==|until)/,
    ],
  },
];
