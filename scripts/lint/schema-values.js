import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Every `default` must be valid by its schema, or by the one that the reference beside it leads to. */
export const validDefaults = () => {
  const check = (schema, { location, report, resolve }) => {
    if (!('default' in schema)) return;
    const validate = ajv.compile(followed(schema, location.source.absoluteRef, resolve, []));
    if (validate(schema.default)) return;
    const why = ajv.errorsText(validate.errors, { dataVar: 'it' });
    report({
      message: `The default ${JSON.stringify(schema.default)} is not valid here: ${why}.`,
      location: location.child('default'),
    });
  };
  return { Schema: check, ref: check };
};

/** Resolves all references. A recursive one allows anything: a default is never that deep. */
function followed(node, from, resolve, within) {
  if (Array.isArray(node)) return node.map((part) => followed(part, from, resolve, within));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node;
  const own = Object.fromEntries(
    Object.entries(rest).map(([keyword, part]) => [keyword, followed(part, from, resolve, within)]),
  );
  if (typeof $ref !== 'string') return own;
  const { node: found, location } = resolve(node, from);
  const place = location && `${location.source.absoluteRef}${location.pointer}`;
  if (!place || within.includes(place)) return own;
  return {
    ...own,
    allOf: [...(own.allOf ?? []), followed(found, location.source.absoluteRef, resolve, [...within, place])],
  };
}

/** Several types, other than null, must be written as `anyOf`: validators are generated for one type at a time. */
export const oneType = () => ({
  Schema({ type }, { location, report }) {
    const types = [type ?? []].flat().filter((one) => one !== 'null');
    if (types.length < 2) return;
    const options = types.map((one) => `{type: ${one}}`).join(', ');
    report({
      message: `The generator takes one type (or one and null), not ${types.join(' and ')}. Write anyOf: [${options}].`,
      location: location.child('type'),
    });
  },
});
