import { kindOf } from '../../../packages/schema-reading/keywords.js';
import { below, entriesOf, isObject, type Json, type JsonObject } from '../../documents/json.js';
import { withFiniteDefinitions } from './fitting-recursion.js';

/** Makers of models whose rules are known. */
export const providers = ['anthropic', 'openai', 'gemini'] as const;
export type Provider = (typeof providers)[number];

/** Something that a maker of models answers a whole request with 400 for, with all tools in it. */
export interface Refusal {
  readonly provider: Provider;
  /** RFC 6901, in the tool: `/name`, `/inputSchema/…`. */
  readonly pointer: string;
  readonly reason: string;
  /** What would do. */
  readonly remedy: string;
}

/** What a model is given of a tool. */
interface GivenTool {
  readonly name: string;
  readonly inputSchema: object;
}

/** What each takes for the name of a tool, of which the catalog's own rule allows more. */
const toolNames: Readonly<Record<Provider, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
};

/** Of the arguments themselves; nobody looks at names within them. */
const argumentName = /^[a-zA-Z0-9_.-]{1,64}$/;

const refusedAtRoot: Readonly<Record<Provider, readonly string[]>> = {
  anthropic: ['oneOf', 'anyOf', 'allOf'],
  openai: ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', '$ref'],
  gemini: ['$ref'],
};

/** Refusals that are listed of one tool: the first is enough to lose the request. */
const MAX_LISTED = 100;

/**
 * What makers of models refuse of a tool, by docs/decisions/0102: what is read from a description fits them all; what people write
 * by hand, and what was read before that was so, may not.
 */
export function refusalsOf(tool: GivenTool): readonly Refusal[] {
  const schema = tool.inputSchema as JsonObject;
  return [
    ...ofName(tool.name),
    ...ofRoot(schema),
    ...ofArguments(schema),
    ...ofParts(schema),
    ...ofCircles(schema),
  ].slice(0, MAX_LISTED);
}

/** Those who refuse a tool, in the order of {@link providers}. */
export function refusedBy(tool: GivenTool): Provider[] {
  const found = new Set(refusalsOf(tool).map(({ provider }) => provider));
  return providers.filter((provider) => found.has(provider));
}

function refused(
  by: readonly Provider[],
  pointer: string,
  [reason, remedy]: readonly [reason: string, remedy: string],
): Refusal[] {
  return by.map((provider) => ({ provider, pointer, reason, remedy }));
}

function ofName(name: string): Refusal[] {
  const by = providers.filter((provider) => !toolNames[provider].test(name));
  return refused(by, '/name', [
    `"${name.slice(0, 80)}" is no name that it takes.`,
    `name: _${name.slice(0, 63)}`,
  ]);
}

const elsewhere = 'Say all arguments in properties, and the choice in words or within one of them.';

function ofRoot(schema: JsonObject): Refusal[] {
  const composed = providers.flatMap((provider) =>
    refusedAtRoot[provider]
      .filter((keyword) => schema[keyword] !== undefined)
      .flatMap((keyword) =>
        refused([provider], below('/inputSchema', keyword), [`${keyword} stands at the root.`, elsewhere]),
      ),
  );
  if (schema['type'] !== 'object')
    return [...refused(providers, '/inputSchema', ['The root is no object.', 'type: object']), ...composed];
  if (isObject(schema['properties'])) return composed;
  return [
    ...refused(['openai'], '/inputSchema', ['The root has no properties.', 'properties: {}']),
    ...composed,
  ];
}

const fitting = 'Name it with 1 to 64 letters, digits, _, . and -.';

function ofArguments({ properties }: JsonObject): Refusal[] {
  return entriesOf(properties).flatMap(([name]) => {
    if (argumentName.test(name)) return [];
    const reason = `"${name.slice(0, 80)}" is no name of an argument that it takes.`;
    return refused(['anthropic'], below('/inputSchema/properties', name), [reason, fitting]);
  });
}

function ofParts(schema: JsonObject): Refusal[] {
  const found: Refusal[] = [];
  const open: [string, Json][] = [['/inputSchema', schema]];
  for (let next = open.pop(); next !== undefined && found.length < MAX_LISTED; next = open.pop()) {
    const [pointer, part] = next;
    if (!isObject(part)) continue;
    const { type, items, enum: values } = part;
    const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
    if (isList && items === undefined)
      found.push(
        ...refused(['openai', 'gemini'], pointer, [
          'A list does not say its items.',
          'items: { type: string }',
        ]),
      );
    if (Array.isArray(values) && values.length === 0)
      found.push(
        ...refused(providers, below(pointer, 'enum'), ['An enum has no values.', 'Leave the enum out.']),
      );
    open.push(...partsOf(pointer, part).toReversed());
  }
  return found;
}

/** The schemas right within one, by their places. */
function partsOf(pointer: string, schema: JsonObject): [string, Json][] {
  return Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    const kind = keyword === '$defs' ? 'namedSchemas' : kindOf(keyword);
    const place = below(pointer, keyword);
    if (kind === 'schema') return [[place, value]];
    if (kind === 'schemas' && Array.isArray(value))
      return value.map((each, index) => [below(place, index), each]);
    if (kind !== 'namedSchemas') return [];
    return entriesOf(value).map(([name, each]) => [below(place, name), each]);
  });
}

/** Definitions among which circles are looked for: it takes steps for each times all of them, and imports have mended theirs. */
const MAX_DEFINITIONS = 200;

function ofCircles(schema: JsonObject): Refusal[] {
  if (entriesOf(schema['$defs']).length > MAX_DEFINITIONS) return [];
  const changes = new Set<string>();
  withFiniteDefinitions(schema, changes);
  return [...changes].flatMap((change) =>
    refused(providers, '/inputSchema/$defs', [`${change}, so nothing fits.`, 'Do not ask for it.']),
  );
}
