import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { targetTemplate } from '../../../../cli/target-template.js';
import { effects, workflowRoles } from '../../../../conformance/suite/target/roles.js';
import schema from '../../../../conformance/suite/target/target.schema.json' with { type: 'json' };
import { operationIds } from '../../../../generated/operations.js';

describe('the schema for editors', () => {
  const { properties } = schema;

  it('has the effects, the workflows and the operations of the suite', () => {
    expect(properties.allow.enum).toEqual(effects);
    expect(Object.keys(properties.workflows.properties)).toEqual(workflowRoles);
    expect(properties.apiKeys.properties.restricted.properties.denied.items.enum).toEqual(operationIds);
  });

  it('accepts what init writes, with every setting declared and variables as they stand', () => {
    const validate = new Ajv2020().compile(schema);
    const complete = parse(targetTemplate.replaceAll(/^#(?=[a-z]| {2,})/gm, ''));
    for (const file of [parse(targetTemplate), complete, { ...complete, profile: '$'.concat('{PROFILE}') }]) {
      validate(file);
      expect(validate.errors).toBeNull();
    }
  });
});
