/** Whether generators for other languages make a class of a schema. */
const isModel = (schema) =>
  !schema.$ref && ['properties', 'allOf', 'anyOf', 'oneOf', 'if'].some((keyword) => keyword in schema);

/** Such a schema needs its own file, and so a name: otherwise generators invent one, such as `InlineObject3`. */
export const namedSchemas = () => {
  const check = (schema, location, report) => {
    if (typeof schema !== 'object' || schema === null || !isModel(schema)) return;
    report({ message: 'Generators would make up a name for this schema: give it a file in `schemas/`.', location });
  };
  return {
    MediaType({ schema }, { location, report }) {
      check(schema, location.child('schema'), report);
    },
    Parameter({ schema }, { location, report }) {
      check(schema, location.child('schema'), report);
    },
    Schema({ properties = {}, items, additionalProperties }, { location, report }) {
      for (const [name, schema] of Object.entries(properties))
        check(schema, location.child(['properties', name]), report);
      check(items, location.child('items'), report);
      check(additionalProperties, location.child('additionalProperties'), report);
    },
  };
};
