import { isDeepStrictEqual } from 'node:util';
import { entriesOf, isObject, textsOf, type JsonObject } from '../../documents/json.js';
import { writeYaml } from '../../documents/yaml.js';
import { readToolSpec, type ToolSpec } from './tool-spec.js';

/** Writes a spec as its file: with a list of parameters where that says all of the input schema. */
export function writeToolSpec(spec: ToolSpec): string {
  const short = textOf(spec, parametersOf(spec.inputSchema));
  const read = readToolSpec({ path: '', text: short }).value;
  return isDeepStrictEqual(read?.inputSchema, spec.inputSchema) ? short : textOf(spec, spec.inputSchema);
}

function textOf(spec: ToolSpec, inputSchema: object): string {
  const { version, title, name, description, host, owner, outputSchema } = spec;
  const { annotations, graphql, composite, examples } = spec;
  return writeYaml({
    version,
    ...(title !== name && { title }),
    ...{ name, description },
    ...(host !== null && { host }),
    ...(owner !== null && { owner }),
    inputSchema,
    ...(outputSchema !== null && { outputSchema }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(graphql !== null && { graphql }),
    ...(composite !== null && { composite }),
    ...(examples.length > 0 && { examples }),
  });
}

/** The list of parameters that comes nearest to the schema. */
function parametersOf(schema: JsonObject): object {
  const required = textsOf(schema, 'required');
  const parameters = entriesOf(schema['properties']).map(([name, property]) => ({
    name,
    ...(isObject(property) ? property : {}),
    required: required.includes(name),
  }));
  return { parameters };
}
