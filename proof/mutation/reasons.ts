import { choices } from '../../reference/choices.js';

/** A reason why the interface cannot show that a mutant differs. The first reason that fits is printed. */
interface Reason {
  readonly why: string;
  /** Patterns for the names of survivors. */
  readonly of: readonly RegExp[];
}

/** A pattern for the mutation of one of these texts. */
const text = (file: string, ...texts: readonly string[]): RegExp =>
  new RegExp(`^${file} StringLiteral: '(${texts.join('|')})' → `);

/** The names of gaps, and of the values that fill them. */
const words = Object.entries(choices).flatMap(([gap, { values }]) => [gap, ...Object.keys(values)]);

export const reasons: readonly Reason[] = [
  {
    why: 'In the same process no server listens, and no request says how long it is, and what is no path of the interface is not asked: other tests do that.',
    of: [
      /^http\/server.ts /,
      /^http\/body.ts \w+: (?:\{ if \(Number|Number\(announced|announced|bytes.byteLength >|\/\^\\d|\{ throw error|true → false)/,
      /^http\/respond.ts ConditionalExpression: operation/,
    ],
  },
  {
    why: 'It loops for ever, and answers nothing meanwhile: in one process with it the suite cannot give up.',
    of: [/^(?:behaviour\/profiles|capacity).ts .+, without end$/],
  },
  {
    why: 'The words of a message are not shown.',
    of: [
      / StringLiteral: (?:'[^']* [^']*'|`[^`]* [^`]*`?|`\$\{(?:version|message)\}\.?`) → /,
      /^http\/perform.ts ArrowFunction: \(\{ parameter, detail/,
      /^behaviour\/answers.ts \w+: (?:titles|\{ 400)/,
      text('behaviour/answers.ts', 'Conflict', 'Refused'),
    ],
  },
  {
    why: 'Which status a refusal has is a gap: one that no choice names is 400.',
    of: [
      /^behaviour\/starts.ts EqualityOperator: tempFiles.length > 0 → /,
      /^http\/perform.ts \w+: (?:violations.every|\(\{ kind|kind ===|'exclusivity')/,
    ],
  },
  {
    why: 'What the server makes of a variantKey is a gap (variant-key-slug), also whether two keys make two.',
    of: [
      /^behaviour\/executions.ts \w+: sharedStorageKey !==/,
      /^behaviour\/starts.ts \w+: (?:key \.normalize|words\.join|\/|\['variant'\])/,
      text('behaviour/starts.ts', '', '-', '_', 'variant'),
    ],
  },
  {
    why: 'An empty name of a parameter stands for the body as a whole, and the simple error body has none.',
    of: [
      text(
        'behaviour/starts.ts',
        'executionOptions.softTimeoutMins',
        'executionOptions.variantKey',
        'profileId',
        'tempFiles',
      ),
      text(
        'behaviour/profiles.ts',
        'captchaSolverActive',
        'credentialsToUpdate',
        'customProxy',
        'name',
        'popupBlockerActive',
        'tracingEnabled',
      ),
      text('handlers/profiles.ts', 'organizationId'),
      text('handlers/starts.ts', 'profileGroupId', 'profileId', 'tempFiles', 'version'),
    ],
  },
  {
    why: 'Which ids cookies and credentials have is a gap (cookie-id-sent), and an id is optional.',
    of: [/^behaviour\/profiles.ts \w+: (?:\(\{ id \}|id !==|!taken|choices\['cookie-id-sent'\] === 'kept' &&)/],
  },
  {
    why: 'What is made of texts before they are stored is a gap (stored-normalised).',
    of: [
      /^behaviour\/profiles.ts \w+: (?:normalises &&|value.normalize|one.name.trim)/,
      text('behaviour/profiles.ts', 'string'),
    ],
  },
  {
    why: 'What an update may ask of a proxy is a gap (custom-proxy-request).',
    of: [
      /^behaviour\/profiles.ts \w+: (?:customProxy === undefined|\{ \.\.\.\(server|server|username|password|\{ (?:server|username|password) \}|way === 'refused' \|\||Object\.(?:keys\(others|values\(parts)|\(part\)|typeof part|\{ \.\.\.profile\.customProxy)/,
    ],
  },
  {
    why: 'Whether something may be changed without a managed proxy or an admin’s key is a gap (managed-proxy-flags, tracing-without-admin).',
    of: [
      /^behaviour\/profiles.ts \w+: (?:!?captchaSolverActive|profile.proxyMode|allowed|tracingEnabled|isAdmin|\{ \.\.\.profile, tracingEnabled)/,
      text('behaviour/profiles.ts', 'managed'),
    ],
  },
  {
    why: 'The names of mode, system and country are not shown.',
    of: [
      /^behaviour\/profiles.ts \w+: (?:modeName|countryName|proxyCountry|\{ \[(?:modeName|countryName)\])/,
      /^behaviour\/unnamed.ts /,
    ],
  },
  {
    why: 'Whether an update that asks for nothing is taken is a gap (empty-update), and what becomes of data for no credential.',
    of: [
      /^behaviour\/profiles.ts \w+: (?:\(update: AgentProfileUpdate\): Refusal|choices\['empty-update'\] === 'refused' &&|\(\{ name \}\) => !known|unknown → )/,
      /^handlers\/profiles.ts \w+: Object.keys\(body\)/,
    ],
  },
  {
    why: 'When updatedAt changes is not said, but that it does not go back.',
    of: [/^behaviour\/profiles.ts \w+: (?:Math.max\(now|profile.updatedAt \+ 1)/],
  },
  {
    why: 'What a copy is called is not shown, nor how long that may be, but that no other profile has the name.',
    of: [
      /^behaviour\/profiles.ts \w+: (?:!isTaken\(name\)|number|\[\.\.\.name\]|255 - suffix)/,
      text('behaviour/profiles.ts', ' \\(copy\\)', ''),
      /^behaviour\/profiles.ts ArrowFunction: \(\): 200 \| 201/,
    ],
  },
  {
    why: 'How long a text is that has characters of two units is a gap (text-length-unit).',
    of: [
      /^behaviour\/access.ts \w+: (?:choices\['text-length-unit'\] === 'characters' \|\||operation [!=]==|\{ name: 255|typeof value|\[\.\.\.value\]|\[?\{ kind)/,
      text('behaviour/access.ts', 'updateProfile', 'string', 'value'),
    ],
  },
  {
    why: 'Which keys are taken in the other header, or in both, is a gap (header-names-interchangeable, key-in-both-headers, service-agents-key).',
    of: [
      /^behaviour\/access.ts \w+: (?:\[\.\.\.new Set|\(\{ keyHeader|given ===|keyHeaders|\(header\)|header !==|secret ===|other ===|shown ===|\{ shown:|byShown|byOther)/,
      text('behaviour/access.ts', ''),
    ],
  },
  {
    why: 'Which media types are JSON, and what becomes of a body of another, is a gap (unsupported-media-type).',
    of: [
      /^behaviour\/access.ts \w+: (?:choice === 'parsed' \|\||contentType ===|\/\^\\s\*application)/,
      /^http\/body.ts ConditionalExpression: type /,
    ],
  },
  {
    why: 'A body that is no UTF-8 is not sent, and one that is no JSON to no profile that could be copied: a copy stays behind.',
    of: [/^behaviour\/access.ts \w+: (?:!isUtf8|\{ throw new Refusal)/],
  },
  {
    why: 'Fields that the contract does not name may be refused or passed over (unknown-request-fields).',
    of: [/^behaviour\/access.ts ArrowFunction: \(field\)/, /^http\/perform.ts ConditionalExpression: unknown.length/],
  },
  {
    why: 'What is no uuid is nobody’s id: it is refused either way.',
    of: [/^behaviour\/access.ts Regex: \/\^\[0-9a-f\]/, /^http\/perform.ts ConditionalExpression: !behaviour.isUuid/],
  },
  {
    why: 'Nothing shows which version ran.',
    of: [/^behaviour\/starts.ts (?:LogicalOperator: body.head|BooleanLiteral: false → true)/],
  },
  {
    why: 'The schema refuses it before, or lets nothing else come so far.',
    of: [/^lifecycle.ts \w+: (?:!behaviour.mayMove|run.status === to|false → true|run.terminalAt)/],
  },
  {
    why: 'Whether temp files are refused with queue while there is capacity is a gap (queue-with-temp-files), and with which status.',
    of: [
      /^behaviour\/starts.ts \w+: (?:queue && tempFiles|status !==|tempFiles.length > 0 → true|\{ const status = choices\['queue)/,
    ],
  },
  {
    why: 'How much a profile, a body or an organization may hold is not shown.',
    of: [
      /^handlers\/profiles.ts \w+: JSON/,
      /^handlers\/starts.ts LogicalOperator: call.size/,
      /^http\/body.ts \w+: (?:levels|isDeeper|size|typeof value|\{ if \(typeof value|'object'|\(\) => new Refusal\(413)/,
    ],
  },
  {
    why: 'How many executions an organization may run, and how many wait, is not shown; a target file declares a group.',
    of: [/^capacity.ts \w+: (?:organization\.|to === 'queue')/, text('capacity.ts', 'queue', 'reject')],
  },
  {
    why: 'Through which states a run goes is a gap (other-transitions, state-after-queued), and for how long.',
    of: [
      /^behaviour\/lifecycle.ts \w+: (?:index [+-] 1|\(step: Step|!isTerminal\(step|isStop|last|status === 'queued'|step|-1)/,
    ],
  },
  {
    why: 'A result and the failures of scripts are optional.',
    of: [
      /^behaviour\/executions.ts \w+: (?:\{ const \{ (?:result|scriptFailure)|result && all|scriptFailure &&|run.scriptFailures|\{ scriptFailures)/,
      /^lifecycle.ts ConditionalExpression: (?:result|failures) → false/,
    ],
  },
  {
    why: 'It happens when the service ends, or at another speed, or frees memory, or after more than a second.',
    of: [
      /^behaviour\/executions.ts ArithmeticOperator: fileSyncMs \/ speed/,
      /^lifecycle.ts \w+: (?:step.ms \/ speed|\[\.\.\.timers\]|\{ (?:cancel|for|const timer)|timer →|watching\.size)/,
    ],
  },
  {
    why: 'What a service may leave out, and what it shows of labels and triggers, is a gap.',
    of: [
      /^behaviour\/executions.ts \w+: (?:all &&|file.mimeType|\{ mimeType|\{ agentProfileName|\{ \.\.\.trigger|choices\['unstated-required-fields'\] === 'few' &&|<T extends)/,
      text('behaviour/executions.ts', 'id', 'name', 'userId'),
      /^behaviour\/executions.ts ConditionalExpression: softTimeoutMins !== undefined (?:\|\| showsKey )?→ true/,
    ],
  },
  {
    why: 'Who made a file, its directory, path, URL and size are whatever the service says (file-created-by), and when it is listed as well.',
    of: [
      /^behaviour\/executions.ts \w+: (?:file.directory ===|`\/executions|`\$\{(?:origin|file.directory)|`Uploaded|now \+ fileSyncMs|file.listedAt|Math.max\(lastUpdated)/,
      text('behaviour/executions.ts', 'system', 'uploads', 'user', 'agent'),
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
    why: 'Which headers tell of a limit is a gap (rate-limit-headers), and an answer without a body may say that it is JSON.',
    of: [/^http\/respond.ts \w+: (?:\{|'\d+'|text !==)/],
  },
  {
    why: 'The standard error body has all that the simple one has, and which of them is due for files is a gap (files-error-body).',
    of: [
      /^http\/respond.ts ConditionalExpression: (?:chosen|kind)/,
      /^behaviour\/answers.ts ArrowFunction: \(\): 'standard'/,
      text('http/respond.ts', 'either', 'simple'),
    ],
  },
  {
    why: 'It does the same.',
    of: [
      /^http\/body.ts ObjectLiteral: \{ value: undefined/,
      /^http\/perform.ts ConditionalExpression: (?:!organization|requestBody)/,
      text('http/perform.ts', 'none'),
      text('handlers/starts.ts', 'starting'),
      /^behaviour\/answers.ts \w+: (?:body|errors)/,
      /^behaviour\/lifecycle.ts \w+: (?:\[\] → |\(\): number|!isTerminal\(from\)|to !== 'queued')/,
      /^behaviour\/access.ts \w+: (?:!\(operation in requests\)|\[\] → )/,
      /^behaviour\/profiles.ts ConditionalExpression: (?:id === undefined|inboxEmailPrefix !== undefined)/,
      /^capacity.ts (?:ObjectLiteral|OptionalChaining): /,
      /^handlers\/executions.ts StringLiteral/,
      /^handlers\/profiles.ts ArrayDeclaration: \[\]/,
      /^handlers\/starts.ts \w+: (?:admission.to === 'queue'|waitMs)/,
      /^behaviour\/starts.ts ConditionalExpression: softTimeoutMins/,
      text('behaviour/starts.ts', 'start'),
      /^lifecycle.ts ConditionalExpression: (?:(?:result|failures) → true|step.ms !==|until)/,
    ],
  },
  {
    why: 'It fills a gap in another way: whatever is chosen, the interface leaves it open.',
    of: [
      / \w+: (?:choices\['[\w-]+'\]|way|choice) [!=]== '[\w-]+' → /,
      new RegExp(` StringLiteral: '(?:${words.join('|')})' → `),
      / StringLiteral: '\*+' → /,
    ],
  },
];
