/** interface: Agent profile, customProxy. */

import { memoizeText } from '../../../engine/memoize.js';
import { isOfRun } from '../../../engine/outcome/mark.js';
import {
  accepted,
  answerBody,
  type Fields,
  isCopyRequest,
  isFields,
  objectIn,
  requestBody,
} from '../../../engine/outcome/read.js';
import { isMasked } from '../../../engine/rule/altered.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { asText, urlEncoded } from '../../../engine/rule/values.js';
import type { Exchange, Judges } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';

export const proxyPassword = {
  /**
   * Judges a profile with a customProxy. Passes if it shows no password. Also fails if a password that the run
   * made up appears anywhere in a profile, then or later.
   */
  'proxy-password-is-hidden': {
    exchange(exchange) {
      const { customProxy } = profileIn(exchange) ?? {};
      if (!isFields(customProxy)) return undefined;
      return isInProxy(exchange)
        ? violated(exchange, 'customProxy without a password', `one with ${Object.keys(customProxy).join(', ')}`)
        : satisfied(exchange);
    },
    run: ({ exchanges }) => {
      const ours = exchanges.filter(isOfRun);
      const passwords = new Set(ours.flatMap((one) => passwordIn(one) ?? []));
      const areThey = [...passwords].map(isPassword);
      const isOne = memoizeText((text) => areThey.some((isIt) => isIt(text)));
      const telling = ours.find((one) => !isInProxy(one) && holds(profileIn(one), isOne));
      return telling && violated(telling, 'a profile without the password of its proxy', 'one with it');
    },
  },
} satisfies Judges;

/** Whether a field is named as a password: `password` or `proxyPassword`, but not `bypass`. */
const isPasswordName = (name: string): boolean =>
  /^(?:pass|password|passwd|passphrase|pwd|secret)$/i.test(name.split(/[\s_-]|(?<=[a-z\d])(?=[A-Z])/).at(-1) ?? '');

/** Whether customProxy shows a password, as far as its own exchange tells. */
function isInProxy(exchange: Exchange): boolean {
  const { customProxy } = profileIn(exchange) ?? {};
  return isFields(customProxy) && showsPassword(customProxy, passwordIn(exchange));
}

/** The password that was sent, unless another field was sent with the same text. */
function passwordIn(exchange: Exchange): string | undefined {
  const { password, ...rest } = objectIn(requestBody(exchange), 'customProxy');
  if (typeof password !== 'string' || password === '') return undefined;
  return holds(rest, (value) => tells(value, password)) ? undefined : password;
}

/** The profile that an update or a duplication was answered with. */
const profileIn = (exchange: Exchange): Fields | undefined =>
  (updatesProfile(exchange) || isCopyRequest(exchange)) && accepted(exchange) ? answerBody(exchange) : undefined;

/** Whether a value is such a text, or contains one. */
const holds = (value: unknown, is: (text: string) => boolean): boolean =>
  typeof value === 'string'
    ? is(value)
    : typeof value === 'object' && value !== null && Object.values(value).some((inner) => holds(inner, is));

/** Also within a URL. A short password may appear there by chance. */
const tells = (value: string, password: string): boolean =>
  value === password ||
  (password.length >= longEnough && [password, urlEncoded(password)].some((one) => value.includes(one)));
const longEnough = 8;

/** Encoded as in the header that a proxy is sent: `Basic bWU6aHVzaA==`. */
function isEncoded(value: string, password: string): boolean {
  const encoded = /^(?:basic )?([\w+/-]+=*)$/i.exec(value)?.[1] ?? '';
  const plain = Buffer.from(encoded, 'base64').toString();
  return plain === password || plain.endsWith(`:${password}`);
}

const isPassword = (password: string | undefined) => (text: string) =>
  password !== undefined && (tells(text, password) || isEncoded(text, password));

/** Whether a password is shown: unmasked in a field named so, or as sent in any field, however deep. */
const showsPassword = (shown: Fields, password: string | undefined): boolean =>
  Object.entries(shown).some(([name, value]) => {
    const isIt = isPassword(password);
    if (isFields(value)) return showsPassword(value, password);
    if (typeof value !== 'string') return holds(value, isIt);
    return (
      value !== '' && ((isPasswordName(name) && !isMasked(value)) || isInAddress(value, shown.username) || isIt(value))
    );
  });

/** Whether an address has a password beside this user: `http://user:password@host`. */
function isInAddress(address: string, username: unknown): boolean {
  const [, user, secret = ''] = /\/\/([^/:@]+):([^/@]+)@/.exec(address) ?? [];
  return user !== undefined && [username, urlEncoded(asText(username))].includes(user) && !isMasked(secret);
}
