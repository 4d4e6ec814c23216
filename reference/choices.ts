import type { ObservableGapId } from '../generated/rules.js';

/** A gap: its possible values with their meanings, the default, and the reason for that. */
interface Choice {
  readonly values: Readonly<Record<string, string>>;
  readonly default: string;
  readonly why: string;
}

/** Observable gaps of the register, and some choices that only a service has. */
type ChoiceId = ObservableGapId | 'optional-fields' | 'flag-without-another' | 'service-agents-key';

const refusalStatus = {
  400: 'status and code 400',
  422: 'status and code 422',
  '409/1003': 'status 409 with a code of its own, 1003',
} as const;

/** All gaps that the service can fill in several ways. */
export const choices = {
  'exclusivity-status': {
    values: refusalStatus,
    default: '400',
    why: 'A request that contradicts itself is a bad request, as any other that violates the schema.',
  },
  'over-capacity-status': {
    values: {
      409: 'status and code 409',
      429: 'status and code 429, without Retry-After',
      '429/2001': 'status 429 with a code of its own, 2001',
      503: 'status and code 503',
    },
    default: '429',
    why: 'A concurrency limit is a limit of rate; the same request may be taken a little later.',
  },
  'queue-with-temp-files': {
    values: {
      400: 'always refused with 400',
      422: 'always refused with 422',
      taken: 'taken while there is capacity, refused with 400 when there is none',
    },
    default: '400',
    why: 'A mistake of the caller shows at once, and not only on the day when capacity runs out.',
  },
  'variant-key-status': {
    values: refusalStatus,
    default: '400',
    why: 'The same as for any other request that violates a stated requirement.',
  },
  'unknown-workflow-status': {
    values: {
      400: 'status 400',
      403: 'status 403, as where a key may not: it does not reveal what exists',
      404: 'status 404',
      422: 'status 422',
    },
    default: '404',
    why: 'What the request names is not found, as with an unknown id in a path.',
  },
  'malformed-id-status': {
    values: { 400: 'refused as malformed', 404: 'not found, as any id that does not exist' },
    default: '400',
    why: 'It distinguishes a mistake in the caller’s code from a resource that is gone.',
  },
  'duplicate-success-status': {
    values: { 200: 'OK', 201: 'Created' },
    default: '201',
    why: 'The interface describes the answer as a newly created resource.',
  },
  'pool-delete-success': {
    values: {
      204: 'without a body',
      '200-body': '200 with a body, {"deleted": true}',
      '200-empty': '200 without a body',
      202: '202, and the pool goes some seconds later',
    },
    default: '204',
    why: 'There is nothing to report, and a client must accept an answer without a body.',
  },
  'header-names-interchangeable': {
    values: { no: 'a key counts only in the header that the operation is shown with', yes: 'in either header' },
    default: 'no',
    why: 'A client that works here sends the header that is shown, and so works everywhere.',
  },
  'files-error-body': {
    values: { simple: 'the simple error body', standard: 'the standard error body' },
    default: 'simple',
    why: 'The interface lists the simple body for the operations on executions.',
  },
  'standard-error-optional-fields': {
    values: {
      all: 'all that is known',
      none: 'code and message only',
      problem: 'those of a problem document: type, title, status, instance',
    },
    default: 'all',
    why: 'A client sees every field that it may meet.',
  },
  'state-after-queued': {
    values: { starting: 'the run starts as any other', running: 'it skips starting' },
    default: 'starting',
    why: 'It is the state in which the interface begins every other run.',
  },
  'other-transitions': {
    values: {
      'by-running': 'a stop begins and ends in running',
      direct: 'a stop follows starting, and is followed by the end',
    },
    default: 'by-running',
    why: 'A run that was stopped runs again before it ends.',
  },
  'status-read-while-queued': {
    values: { queued: 'queued', starting: 'starting: the status field of an execution is described without queued' },
    default: 'queued',
    why: 'It is the status that the start was answered with.',
  },
  'sync-returns-on-pause': {
    values: {
      'at-once': 'when the run is paused or awaits confirmation',
      'at-once-by-agent-too': 'also when the agent pauses it',
      'after-wait': 'only when the wait or the run has ended',
    },
    default: 'at-once',
    why: 'Both states are named as reasons for a 202 beside "not finished in time".',
  },
  'trigger-sources': {
    values: {
      schedule: 'the seeded execution was started by a schedule',
      manual: 'by hand',
      none: 'it shows no trigger',
    },
    default: 'schedule',
    why: 'A client meets an undocumented source.',
  },
  'file-created-by': {
    values: {
      words: 'createdBy is agent or user, directory the name of the list that holds the file',
      paths: 'createdBy is system, directory an absolute path',
    },
    default: 'words',
    why: 'The shortest value that is clear.',
  },
  'unnamed-profile-fields': {
    values: {
      plain: 'proxyMode, operatingSystem, proxyCountry',
      prefixed: 'proxyConfigurationMode, emulatedOperatingSystem, proxyCountryCode',
      none: 'the three are neither taken nor sent',
    },
    default: 'plain',
    why: 'The interface states that a profile has the three; a client must accept undocumented fields.',
  },
  'empty-update': {
    values: { taken: 'answered with the unchanged profile', refused: 'refused with 400' },
    default: 'taken',
    why: 'What is not sent does not change: sending nothing changes nothing.',
  },
  'unknown-request-fields': {
    values: { ignored: 'ignored', refused: 'refused with 400' },
    default: 'ignored',
    why: 'The interface lists hidden fields; a client may use some that the contract does not have.',
  },
  'credential-data-visible': {
    values: { visible: 'as it was sent', masked: 'as asterisks' },
    default: 'visible',
    why: 'The interface leaves the proxy’s password out of answers, and does not state that for credentials.',
  },
  'custom-proxy-request': {
    values: {
      taken: 'server, username and password are taken',
      ignored: 'the field is ignored',
      refused: 'an update with the field is refused with 400',
    },
    default: 'taken',
    why: 'They are the fields of the answer, and the password, which answers leave out.',
  },
  'unsupported-method': {
    values: { 404: 'status 404', 405: 'status 405 with Allow' },
    default: '405',
    why: 'RFC 9110, section 15.5.6.',
  },
  'unsupported-media-type': {
    values: {
      400: 'status 400',
      415: 'status 415 where the operation lists it, else 400',
      parsed: 'the body is parsed as JSON, whatever the media type',
      ignored: 'the body is passed over, as if it were empty',
    },
    default: '415',
    why: 'RFC 9110, section 15.5.16.',
  },
  'auth-before-validation': {
    values: { yes: '401 whatever else is wrong', no: 'what is wrong with the request itself comes first' },
    default: 'yes',
    why: 'Who has no key learns nothing else.',
  },
  'rate-limit-headers': {
    values: {
      none: 'none',
      'x-ratelimit': 'X-RateLimit-Limit, -Remaining, -Reset',
      ratelimit: 'RateLimit-Limit, -Remaining, -Reset',
    },
    default: 'none',
    why: 'There is no rate limit here.',
  },
  'variant-key-slug': {
    values: {
      dashes: 'lower case, dashes between words',
      underscores: 'lower case, underscores between words',
      hidden: 'no sharedStorageKey is shown',
    },
    default: 'dashes',
    why: 'The usual form of a slug.',
  },
  'duplicate-inbox-prefix': {
    values: { dropped: 'the copy has the default inbox', kept: 'the copy has the same prefix, and so the same inbox' },
    default: 'dropped',
    why: 'Two profiles with one inbox would read each other’s mail.',
  },
  'tracing-without-admin': {
    values: { 403: 'refused with 403', 400: 'refused with 400', ignored: 'ignored' },
    default: '403',
    why: 'Permission is what is lacking.',
  },
  'managed-proxy-flags': {
    values: {
      refused: 'turning one on without a managed proxy is refused with 400',
      dropped: 'it stays off',
      taken: 'it is turned on',
    },
    default: 'refused',
    why: 'As with the other requirement between settings, the caller learns why.',
  },
  'cookie-id-sent': {
    values: { anew: 'every added cookie and credential is given an id', kept: 'an id that is sent and free is kept' },
    default: 'anew',
    why: 'Ids are the service’s to give.',
  },
  'key-in-both-headers': {
    values: {
      shown: 'the header that the operation is shown with decides',
      either: 'one valid key is enough',
      both: 'both must be valid',
    },
    default: 'shown',
    why: 'It follows from header-names-interchangeable=no.',
  },
  'text-length-unit': {
    values: {
      characters: 'every character counts as one',
      'utf-16': 'characters outside the basic plane count as two',
    },
    default: 'characters',
    why: 'JSON Schema counts characters.',
  },
  'stored-normalised': {
    values: {
      nothing: 'values are stored unchanged',
      texts: 'names and descriptions of profiles are stored trimmed and composed, names of credentials in lower case',
    },
    default: 'nothing',
    why: 'A caller gets back the values of its request.',
  },
  'unstated-required-fields': {
    values: { all: 'labels and runners show all their fields', few: 'labels id and name, runners userId' },
    default: 'all',
    why: 'A client sees every field that it may meet.',
  },
  'optional-fields': {
    values: {
      all: 'executions and files show every optional field that applies',
      none: 'only those that a rule asks for',
    },
    default: 'all',
    why: 'A client sees every field that it may meet.',
  },
  'service-agents-key': {
    values: {
      same: 'a key is taken in either header',
      own: 'X-Service-Agents-Api-Key takes keys of its own, such as reference-service-key-full',
    },
    default: 'same',
    why: 'A caller needs one key.',
  },
  'flag-without-another': {
    values: {
      refused: 'an update that would leave a flag on without the one that it needs is refused with 400',
      off: 'the flag goes off as well',
      'other-on': 'the one that it needs goes on as well',
    },
    default: 'refused',
    why: 'The caller learns of the requirement, and nothing changes that was not sent.',
  },
} as const satisfies Record<ChoiceId, Choice>;

type Table = typeof choices;
/** How each gap is filled. */
export type Choices = { readonly [Id in keyof Table]: `${keyof Table[Id]['values'] & (string | number)}` };

/** Sets of choices by name; the compiler checks each value. Gaps that a set does not list have their defaults. */
export const sets = {
  default: {},
  lenient: {
    'queue-with-temp-files': 'taken',
    'header-names-interchangeable': 'yes',
    'key-in-both-headers': 'either',
    'unsupported-media-type': 'parsed',
    'tracing-without-admin': 'ignored',
    'managed-proxy-flags': 'taken',
    'flag-without-another': 'other-on',
    'cookie-id-sent': 'kept',
    'duplicate-inbox-prefix': 'kept',
    'pool-delete-success': '200-body',
  },
  strict: {
    'exclusivity-status': '422',
    'variant-key-status': '422',
    'unknown-workflow-status': '422',
    'queue-with-temp-files': '422',
    'key-in-both-headers': 'both',
    'auth-before-validation': 'no',
    'empty-update': 'refused',
    'unknown-request-fields': 'refused',
    'custom-proxy-request': 'refused',
    'credential-data-visible': 'masked',
    'rate-limit-headers': 'ratelimit',
  },
  minimal: {
    'standard-error-optional-fields': 'none',
    'optional-fields': 'none',
    'unstated-required-fields': 'few',
    'unnamed-profile-fields': 'none',
    'trigger-sources': 'none',
    'variant-key-slug': 'hidden',
    'custom-proxy-request': 'ignored',
    'credential-data-visible': 'masked',
  },
} as const satisfies Record<string, Partial<Choices>>;
