/** What recorders and anonymisers make of the same traffic, after the habits of real ones. */

type Fields = Record<string, unknown>;
type Header = { name: string; value: string };

export interface Har {
  log: { entries: HarEntry[]; [name: string]: unknown };
}
export interface HarEntry extends Fields {
  startedDateTime: string;
  time: number;
  request: {
    method: string;
    url: string;
    headers: Header[];
    bodySize: number;
    postData?: { mimeType: string; text: string };
  };
  response: { status: number; headers: Header[]; bodySize: number; content: Fields & { text?: string } } & Fields;
}

/** Returns the recording as text. It may change the HAR, which is a copy. */
export type Recorder = (har: Har) => string;

const eachEntry =
  (change: (entry: HarEntry, index: number) => HarEntry | readonly HarEntry[]): Recorder =>
  (har) => {
    har.log.entries = har.log.entries.flatMap(change);
    return JSON.stringify(har);
  };

const bodyOf = ({ response }: HarEntry): string => response.content.text ?? '';

/** Changes the text of each answer. */
const answers = (change: (text: string, entry: HarEntry) => string) =>
  eachEntry((entry) => {
    if (bodyOf(entry) !== '') entry.response.content.text = change(bodyOf(entry), entry);
    return entry;
  });

/** Changes the text of each request and answer. */
const bodies = (change: (text: string) => string) =>
  eachEntry((entry) => {
    if (bodyOf(entry) !== '') entry.response.content.text = change(bodyOf(entry));
    if (entry.request.postData) entry.request.postData.text = change(entry.request.postData.text);
    return entry;
  });

/** Changes each value within a body, from its leaves up; one that becomes undefined is left out of its object. */
const json = (change: (this: unknown, name: string, value: unknown) => unknown) => (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text, change));
  } catch {
    return text;
  }
};

const eachText = (change: (text: string, name: string) => string) =>
  json((name, value) => (typeof value === 'string' ? change(value, name) : value));

const withoutEmpty = json(function (_, value) {
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty && !Array.isArray(this) ? undefined : value;
});

const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const withoutLength = (headers: Header[]) => headers.filter(({ name }) => !/^content-length$/i.test(name));
const isGet = ({ request }: HarEntry) => request.method === 'GET';

/** The answer of an earlier reading of the same again, as a browser's cache gives it, marked in its way. */
const cached =
  (mark: (entry: HarEntry) => HarEntry): Recorder =>
  (har) => {
    const first = new Map<string, HarEntry>();
    har.log.entries = har.log.entries.flatMap((entry) => {
      const { url } = entry.request;
      const earlier = first.get(url);
      if (isGet(entry) && entry.response.status === 200 && !earlier) first.set(url, entry);
      if (!isGet(entry) || !earlier) return [entry];
      const copy = structuredClone(earlier);
      copy.startedDateTime = new Date(Date.parse(entry.startedDateTime) + entry.time + 1).toISOString();
      return [entry, mark(copy)];
    });
    return JSON.stringify(har);
  };

export const recorders: Readonly<Record<string, Recorder>> = {
  'Chrome, with its memory cache': cached((entry) => ({
    ...entry,
    _fromCache: 'memory',
    response: { ...entry.response, _transferSize: 0 },
  })),
  'Firefox, with its cache and long bodies cut': (har) => {
    for (const entry of har.log.entries) entry.cache = {};
    return answersCut(cachedIn(har, (entry) => ({ ...entry, cache: { afterRequest: null } })));
  },
  'mitmproxy, bodies as Latin-1': answers(latin1),
  'Charles, status and sizes as texts': eachEntry((entry) => ({
    ...entry,
    response: { ...entry.response, status: `${entry.response.status}` as never },
  })),
  'Fiddler, base64 without a mark': answers((text) => Buffer.from(text).toString('base64')),
  'Postman, pretty-printed': answers((text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text.trim();
    }
  }),
  'a log that escapes HTML': answers(eachText(escaped)),
  'a log that cuts texts': answers(eachText((text) => (text.length > 60 ? `${text.slice(0, 60)}...` : text))),
  'a log that keeps two items of a list': (har) =>
    withoutSizes(answers(json((_, value) => (Array.isArray(value) ? value.slice(0, 2) : value)))(har)),
  'a log that leaves out nulls, empty texts and lists': answers(withoutEmpty),
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const withoutSizes = (recording: string): string =>
  eachEntry((entry) => {
    const { response } = entry;
    const content = { ...response.content, size: undefined };
    return { ...entry, response: { ...response, headers: withoutLength(response.headers), bodySize: -1, content } };
  })(JSON.parse(recording));

const cachedIn = (har: Har, mark: (entry: HarEntry) => HarEntry): Har => JSON.parse(cached(mark)(har));

const answersCut = (har: Har): string => {
  for (const { response } of har.log.entries)
    if ((response.content.text ?? '').length > 1500) {
      response.content.text = `${response.content.text}`.slice(0, 1500);
      response.headers = withoutLength(response.headers);
    }
  return JSON.stringify(har);
};

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
const email = /(?<![\w.+-])[\w.+-]{1,60}@[\w-]+(?:\.\w+)+/g;
const instant = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g;
const personal = /name|email|description|reasoning|content|message|inputs|metadata|month|value|data|color/i;
const isWord = (text: string) => !/^[a-z]+(?:_[a-z]+)*$/.test(text);

const hash = (text: string): string =>
  [...text]
    .reduce((sum, one) => (Math.imul(sum, 31) + (one.codePointAt(0) ?? 0)) >>> 0, 7)
    .toString(16)
    .padStart(8, '0');

/** Replaces in the whole text of a recording: paths too. */
const everywhere =
  (pattern: RegExp, replace: (found: string) => string): Recorder =>
  (har) => {
    for (const entry of har.log.entries) {
      entry.request.url = entry.request.url.replaceAll(pattern, replace);
      if (entry.request.postData)
        entry.request.postData.text = entry.request.postData.text.replaceAll(pattern, replace);
      if (entry.response.content.text)
        entry.response.content.text = entry.response.content.text.replaceAll(pattern, replace);
    }
    return JSON.stringify(har);
  };

const numbered = (form: (number: number) => string) => {
  const numbers = new Map<string, number>();
  return (found: string) => {
    const number = numbers.get(found) ?? numbers.size;
    numbers.set(found, number);
    return form(number);
  };
};

export const anonymisers: Readonly<Record<string, () => Recorder>> = {
  'entities by name: <DATE_TIME>, <EMAIL>': () => (har) =>
    bodies((text) => text.replaceAll(instant, '<DATE_TIME>').replaceAll(email, '<EMAIL_ADDRESS>'))(har),
  'ids by number, in bodies: <0>': () => {
    const number = numbered((at) => `<${at}>`);
    return bodies((text) => text.replaceAll(uuid, number));
  },
  'ids by number, everywhere: {{id3}}': () =>
    everywhere(
      uuid,
      numbered((at) => `{{id${at}}}`),
    ),
  'one id for all': () => everywhere(uuid, () => '11111111-1111-4111-8111-111111111111'),
  'one id for all, in bodies': () => bodies((text) => text.replaceAll(uuid, '11111111-1111-4111-8111-111111111111')),
  'texts by hash, in answers': () =>
    answers(eachText((text, name) => (personal.test(name) && isWord(text) ? hash(text) : text))),
  'names by invented ones, each time another': () => {
    let turn = 0;
    const names = ['Alex Kim', 'Sam Lee', 'Jo Park', 'Kai Moss'];
    return answers(eachText((text, name) => (/name|email|description/i.test(name) ? `${names[turn++ % 4]}` : text)));
  },
  'letters and digits by x and 0': () =>
    answers(
      eachText((text, name) => (personal.test(name) ? text.replaceAll(/\p{L}/gu, 'x').replaceAll(/\d/g, '0') : text)),
    ),
};
