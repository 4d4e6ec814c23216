/** Reads and checks openapi/statements.yaml. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { listOf, readSource, refuse, slug, text, texts } from './source.js';

/** A sentence or table cell of the interface that says something about a service or its callers. */
export interface Statement {
  id: string;
  standing: 'stated' | 'implied' | 'open';
  /** What covers it. */
  by: 'rule' | 'caller' | 'contract' | 'none';
  /** The section of the interface: a key of the register's sections. */
  where: string;
  says: string;
  /** The places of the contract that express it: a file beside this one, then # and a JSON pointer. */
  contract?: string[];
}

const shape = {
  type: 'object',
  additionalProperties: false,
  required: ['statements'],
  properties: {
    statements: listOf(
      {
        id: slug,
        standing: { enum: ['stated', 'implied', 'open'] },
        by: { enum: ['rule', 'caller', 'contract', 'none'] },
        where: text,
        says: text,
        contract: texts,
      },
      ['id', 'standing', 'by', 'where', 'says'],
    ),
  },
};

/** Reads and checks openapi/statements.yaml. Throws one error that lists all mistakes with their entries. */
export function readStatements(file: string, sections: Readonly<Record<string, string>>): Statement[] {
  const { statements } = readSource<{ statements: Statement[] }>(file, 'the list', shape);
  refuse(file, [...mistakes(statements, sections, dirname(file))]);
  return statements;
}

function* mistakes(
  statements: readonly Statement[],
  sections: Readonly<Record<string, string>>,
  folder: string,
): Generator<string> {
  const files = new Map<string, unknown>();
  for (const [index, { id, where, contract = [] }] of statements.entries()) {
    if (statements.findIndex((other) => other.id === id) < index) yield `${id} is there twice`;
    if (!Object.hasOwn(sections, where)) yield `${id} is in the section "${where}", which the register does not list`;
    for (const place of contract)
      if (!isPlace(folder, place, files)) yield `${id} is said by ${place}, where nothing is`;
  }
}

/** Whether `file#/pointer` exists. `files` caches files that were read. */
function isPlace(folder: string, place: string, files: Map<string, unknown>): boolean {
  const [file = '', pointer = ''] = place.split('#');
  const path = join(folder, file);
  if (!existsSync(path)) return false;
  if (!files.has(path)) files.set(path, parseYaml(readFileSync(path, 'utf8')));
  let at = files.get(path);
  for (const step of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return false;
    at = (at as Record<string, unknown>)[step];
  }
  return true;
}
