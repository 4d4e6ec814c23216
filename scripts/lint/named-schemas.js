/** What generators of other languages make a class of. */
const isModel = (schema) =>
  !schema.$ref && ['properties', 'allOf', 'anyOf', 'oneOf', 'if'].some((keyword) => keyword in schema);

/** A schema that becomes a class in other languages has a file, and so a name: else generators make one up, as `InlineObject3`. */
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
