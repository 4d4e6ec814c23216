/** A condition restates a property that is described where it is defined. */
const inCondition = /\/(if|then|else|not)\//;

/** Every property of a schema needs a description, its own or that of the schema that it refers to. */
export const describedProperties = () => ({
  SchemaProperties(properties, { location, report, resolve }) {
    if (inCondition.test(`${location.pointer}/`)) return;
    for (const [name, schema] of Object.entries(properties)) {
      if (schema === false || schema.description || resolve(schema).node?.description) continue;
      report({ message: `The property \`${name}\` has no description.`, location: location.child(name) });
    }
  },
});
