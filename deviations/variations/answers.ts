import { Refusal } from '../../reference/errors.js';
import { answering, isFields, isRefusal, showing } from '../change.js';
import type { Variation } from '../variation.js';
import { everywhere, isId } from './everywhere.js';

const type = (value: string) => ({ 'Content-Type': value });

export const answerVariations: readonly Variation[] = [
  {
    id: 'ids-in-capitals',
    says: 'Ids are shown in capitals.',
    behaviour: everywhere((value) => (isId(value) ? value.toUpperCase() : value)),
  },
  {
    id: 'more-fields',
    says: 'Every object in an answer has a field that the contract does not name.',
    behaviour: everywhere((value) => (isFields(value) ? { ...value, _links: { self: null } } : value)),
  },
  {
    id: 'more-inputs',
    says: 'Inputs and metadata are joined by defaults of the workflow.',
    behaviour: showing((one) => ({
      ...one,
      inputs: { region: 'eu', ...one.inputs },
      metadata: { team: 'billing', ...one.metadata },
    })),
  },
  {
    id: 'more-directories',
    says: 'A listing has a directory that the contract does not name.',
    behaviour: (base) => ({
      presentFiles: (...args) => {
        const { directories, ...listing } = base.presentFiles(...args);
        return { ...listing, directories: { ...directories, screenshots: [] } };
      },
    }),
  },
  {
    id: 'problem-type',
    says: 'Refusals are application/problem+json.',
    behaviour: answering((answer) =>
      isRefusal(answer) ? { ...answer, headers: type('application/problem+json') } : answer,
    ),
  },
  {
    id: 'charset',
    says: 'Content-Type names a charset.',
    behaviour: answering((answer) => ({
      ...answer,
      headers: { ...answer.headers, ...type('application/json;charset=UTF-8') },
    })),
  },
  {
    id: 'text-json',
    says: 'Content-Type is text/json.',
    behaviour: answering((answer) => ({ ...answer, headers: { ...answer.headers, ...type('text/json') } })),
  },
  {
    id: 'paths-within',
    says: 'A gateway puts a path of its own before that of the interface, which errors tell.',
    behaviour: answering((answer) =>
      isRefusal(answer) && isFields(answer.body) && 'instance' in answer.body
        ? { ...answer, body: { ...answer.body, instance: `/internal/v1${answer.body.instance}` } }
        : answer,
    ),
  },
  {
    id: 'own-words',
    says: 'What is not found is said to be impossible to locate.',
    behaviour: () => ({ runNotFound: () => new Refusal(404, 'Unable to locate that run.') }),
  },
  {
    id: 'plain-ascii',
    says: 'JSON is indented, and escapes what is not ASCII.',
    behaviour: () => ({
      serialise: (_, { body }) =>
        body === undefined
          ? null
          : JSON.stringify(body, null, 4).replace(
              /[^ -~\n]/g,
              (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
            ),
    }),
  },
];
