/** Generates everything from the sources of the contract. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, published } from './bundle.js';
import { clientModule } from './client.js';
import { kindsOf, readOperations } from './document.js';
import { fieldsModule } from './fields.js';
import { fileValidators } from './file-validators.js';
import { flagsModule } from './flags.js';
import { handlersModule } from './handlers.js';
import { lifecycleModule } from './lifecycle.js';
import { withOperations } from './operation-enums.js';
import { operationsModule, otherIds, sendsModule } from './operations.js';
import { readRegister } from './register.js';
import { refuseUntried } from './request-keywords.js';
import { rulesModule } from './rules.js';
import { samplesModule } from './samples.js';
import { refuseEmpty } from './source.js';
import { banner, layOut } from './text.js';
import { schemasModule, typesModule } from './types.js';
import { validatorModules } from './validators.js';

/** All that is generated from a folder of sources, by file name. */
export interface Built {
  /** Files of generated/. */
  readonly modules: ReadonlyMap<string, string>;
  /** Handwritten schemas with generated lists of operations, by their path in the repository. */
  readonly schemas: ReadonlyMap<string, string>;
}

/** Builds everything. Leaves no files behind. */
export async function buildAll(sources: string): Promise<Built> {
  const scratch = await mkdtemp(join(tmpdir(), 'generate-'));
  try {
    refuseEmpty(sources);
    const document = await bundle(join(sources, 'openapi.yaml'));
    const operations = readOperations(document);
    refuseUntried(document, operations);
    const operationIds = operations.map(({ id }) => id);
    const register = readRegister(join(sources, 'rules.yaml'), operationIds, kindsOf(document));
    const schemas = await withOperations(
      operationIds,
      Object.assign({}, ...operations.map((operation) => otherIds(document, operation))),
    );
    const [validators, ofFiles, types] = await Promise.all([
      validatorModules(document, operations),
      fileValidators([...schemas.values()].map((text) => JSON.parse(text))),
      typesModule(document),
    ]);
    const modules = await layOut(scratch, {
      'types.ts': types,
      'schemas.ts': schemasModule(document),
      'operations.ts': operationsModule(document, operations),
      'sends.ts': sendsModule(document, operations),
      'fields.ts': fieldsModule(document),
      'flags.ts': flagsModule(document, operations, register),
      'lifecycle.ts': lifecycleModule(document),
      'validators.d.ts': validators.dts,
      ...ofFiles.types,
      'samples.ts': samplesModule(document, operations),
      'rules.ts': rulesModule(register),
      'handlers.ts': handlersModule(operations),
      'client.ts': clientModule(operations),
    });
    return {
      modules: new Map([
        ['openapi.json', `${JSON.stringify(published(document), null, 2)}\n`],
        ['validators.js', `${banner}\n\n${validators.js}`],
        ...ofFiles.js.map(([name, js]) => [name, `${banner}\n\n${js}`] as const),
        ...modules,
      ]),
      schemas,
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
