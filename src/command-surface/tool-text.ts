/** Renders tools for models, each schema once. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { toonText, wholeRows } from '../graph/shared.js';

type Json = Readonly<Record<string, unknown>>;

/** Renders a tool in TOON where rows hold all of its schemas, else in JSON, which is shorter for schemas. */
export function toolText(tool: object): string {
  const lean = withoutParams(tool);
  const inRows = withRows(lean);
  return inRows === undefined ? JSON.stringify(lean) : toonText(inRows);
}

/** Renders an effective catalog in the same way. */
export function catalogText(catalog: object): string {
  const { skills } = catalog as { readonly skills: readonly { readonly tools: readonly object[] }[] };
  const toolsAs = (render: (tool: object) => object | undefined): object => ({
    ...catalog,
    skills: skills.map((skill) => ({ ...skill, tools: skill.tools.map(render) })),
  });
  const lean = (tool: object): object | undefined => withRows(withoutParams(tool));
  const fit = skills.every(({ tools }) => tools.every((tool) => lean(tool) !== undefined));
  return fit ? toonText(toolsAs(lean)) : JSON.stringify(toolsAs(withoutParams));
}

/** The tool with its schemas as rows; undefined where rows would lose something. */
function withRows(tool: object): object | undefined {
  const { inputSchema, outputSchema, ...rest } = tool as Json;
  if ('params' in rest) return undefined;
  const [input, output] = [wholeRows(inputSchema), outputSchema === undefined ? [] : wholeRows(outputSchema)];
  if (input === undefined || output === undefined) return undefined;
  return {
    ...rest,
    inputSchema: input,
    ...(isClosed(inputSchema) && { inputAdditionalProperties: false }),
    ...(outputSchema !== undefined && { outputSchema: output }),
    ...(isClosed(outputSchema) && { outputAdditionalProperties: false }),
  };
}

/** Whether the schema takes no other members, which rows can't say. */
function isClosed(schema: unknown): boolean {
  return (schema as Json | undefined)?.['additionalProperties'] === false;
}

/** Leaves out the params of a tool where its input schema holds the same. */
function withoutParams(tool: object): object {
  const { params, ...rest } = tool as Json;
  return saysTheSame(rest['inputSchema'] as Json, params as readonly Json[]) ? rest : tool;
}

function saysTheSame(schema: Json, params: readonly Json[]): boolean {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Json;
    readonly required?: readonly unknown[];
  };
  return params.every(({ name, schema: own, required: needed }) => {
    const isThere = typeof name === 'string' && Object.hasOwn(properties, name);
    return isThere && isDeepStrictEqual(properties[name], own) && required.includes(name) === needed;
  });
}
