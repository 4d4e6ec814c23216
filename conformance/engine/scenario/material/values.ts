/**
 * Values that are easily corrupted on the way to a store and back. Everything that accepts JSON has to accept them: no
 * attacks, only valid Unicode, no numbers that a double cannot hold. What a service may refuse is in `risky`.
 */

/** By what is difficult about them; several of each kind. */
export const texts = {
  plain: ['Nordwind', 'supplier of tea'],
  accented: ['ünïcode', 'Ångström', '“naïve” façade – it’s…'],
  combining: ['Ame\u0301lie', 'A\u030angstro\u0308m', 'q\u0307\u0323'],
  'beyond the basic plane': ['🦊', 'fox 🦊 and 👩‍👩‍👧‍👦', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢', '🇪🇺 𠮷野家'],
  'right to left': ['שלום עולם', 'مرحبا بالعالم', 'mixed עברית text'],
  'of wide letters': ['日本語テキスト', '한국어', '汉字'],
  'of several lines': ['first\nsecond\n\nfourth', '\tindented\n\ttwice', 'one\ntwo', 'as on\r\nWindows'],
  spaced: ['two  spaces', 'a   b', 'no\u00a0break'],
  'like a number': ['007', '1e3', '12.50', '+4930', '0x1F', '-0', '1234567890123456789', '1_000', 'NaN', 'Infinity'],
  'like a boolean': ['true', 'False', 'no', 'off', 'Y'],
  'like nothing': ['null', 'None', 'undefined', 'nil'],
  'like a time': ['2026-01-01T00:00:00+02:00', '2026-02-30', '12/31/2026', '23:59'],
  'like an id': ['C56A4180-65AA-42EC-A945-5FD21DEC0538', 'c56a418065aa42eca9455fd21dec0538'],
  'like JSON': ['{"a": 1}', '[1, 2]', '"quoted"'],
  'of markup': ['<b>bold</b> & "more"', '&amp; &lt; &#39;', "it's"],
  'with separators': ['a=b;c=d', 'k=v; path=/', 'a,b;c|d', 'x=1&y=2#z', 'one:two::three'],
  'with escapes': ['100%', '%20 and %2F', 'C:\\new\\table', 'a+b c', 'under_score %wild_', '\\u0041'],
  capitals: ['lower UPPER Mixed', 'ÄÖÜ ЖЩЮ ΔΩ', 'camelCase snake_case'],
  blank: [''],
} as const;

/** One more than common sizes of database columns. */
export const lengths = [256, 1001] as const;

export const numbers = [
  0, 1, -1, 42, -2.5, 0.1, 0.12345678901234568, 1e-7, 2147483648, 4294967296, 12345678901, 9007199254740991,
  -9007199254740991,
] as const;

export const shapes: readonly unknown[] = [
  true,
  false,
  null,
  [],
  {},
  [[]],
  [{}],
  [null],
  [1, 'two', null, -2.5, false],
  [3, 1, 2, 3, 1],
  [0, '', false, null, [], {}],
  { nothing: null, something: 1 },
  { zero: 0, no: false, blank: '', none: {}, list: [] },
  { a: { b: { c: { d: { e: ['deep', {}] } } } } },
  [['nested'], [['twice', []]]],
];

/** Values that are easily taken for missing. They are always sent, whatever the seed. */
export const easilyLost = { no: false, zero: 0, blank: '' } as const;

/** Names for free fields of inputs and metadata. */
export const keys = [
  'with space',
  'UPPER',
  'camelCase',
  'snake_case',
  'kebab-case',
  'ünïcode',
  '日本',
  '7',
  '007',
  'true',
  'constructor',
  'length',
  'a:b',
  'x=y',
  'id',
  'type',
  'status',
  'a_name_as_long_as_that',
] as const;

/** Values that may exceed limits that the interface does not show, so a refusal tells nothing. */
export const risky = {
  keys: [
    'with.dot',
    '$dollar',
    'one of two',
    'ONE of two',
    'a/b',
    'list[0]',
    '🦊',
    '',
    '__proto__',
    'a name of many words, '.repeat(6).trim(),
  ],
  texts: ['{{name}} $name %s {0}', 'tab\tand "quote" \\ slash', '\u2028 \u200b \ufeff.'],
  numbers: [1e21, 1.7976931348623157e308, 5e-324],
  depth: 40,
  /** More than the 65,535 bytes of a usual column; with the rest, less than the 100 KB of a usual body. */
  length: 66_000,
  items: 300,
  /** The length of one metadata value. */
  pairLength: 2000,
} as const;
