/** Whether data of credentials is shown as it was sent, masked or not at all is left open: x-gap credential-data-visible. */
import { answering, type Fields, isFields, isRefusal, type Way } from '../change.js';
import type { Variation } from '../variation.js';

const fieldsOf = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isFields) : []);
const low = ({ name }: Fields): string => String(name).toLowerCase();

/** Shows the data of each credential so; `isNew` where this request sent it. */
const showingData = (show: (data: string, isNew: boolean) => string): Way =>
  answering((answer, { body: sent }) => {
    if (isRefusal(answer) || !isFields(answer.body) || !Array.isArray(answer.body.credentials)) return answer;
    const asked = isFields(sent) ? sent : {};
    const given = new Set([...fieldsOf(asked.credentialsToAdd), ...fieldsOf(asked.credentialsToUpdate)].map(low));
    const credentials = fieldsOf(answer.body.credentials).map((one) => ({
      ...one,
      data: show(String(one.data), given.has(low(one))),
    }));
    return { ...answer, body: { ...answer.body, credentials } };
  });

export const secretVariations: readonly Variation[] = [
  {
    id: 'data-shown-once',
    says: 'Data of a credential is in the answer to the request that sent it, and empty in all others.',
    behaviour: showingData((data, isNew) => (isNew ? data : '')),
  },
  {
    id: 'data-masked-later',
    says: 'Data of a credential is masked in all answers but the one to the request that sent it.',
    behaviour: showingData((data, isNew) => (isNew ? data : '********')),
  },
  {
    id: 'data-shown-in-part',
    says: 'Of longer data of a credential the first and the last four characters are shown.',
    behaviour: showingData((data) => (data.length > 20 ? `${data.slice(0, 4)}…${data.slice(-4)}` : data)),
  },
  {
    id: 'data-shown-by-its-beginning',
    says: 'Of data of a credential the first four characters are shown.',
    behaviour: showingData((data) => (data.length > 4 ? `${data.slice(0, 4)}…` : data)),
  },
];
