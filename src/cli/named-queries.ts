import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JSONSchema } from 'json-schema-to-ts';
import { packageRoot } from '../kernel/migrations.js';
import { parseYaml } from '../documents/yaml.js';
import { jsonValidator } from '../platform/validation/validator.js';
import { CliFault, exitCodes } from './output.js';

/** A stored query with parameters, for runbooks. */
export interface NamedQuery {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, QueryParameter>>;
  /** A query in which `{$param: name}` marks a parameter. */
  readonly query: unknown;
}

export interface QueryParameter {
  readonly description: string;
  readonly schema: JSONSchema;
  readonly example: unknown;
}

const namedQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'description', 'parameters', 'query'],
  properties: {
    name: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,63}$' },
    description: { type: 'string', minLength: 1 },
    parameters: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['description', 'schema', 'example'],
        properties: {
          description: { type: 'string', minLength: 1 },
          schema: { type: 'object' },
          example: {},
        },
      },
    },
    query: { type: 'object' },
  },
} as const satisfies JSONSchema;
const check = jsonValidator(namedQuery);

/** Reads the queries in a folder (`queries/` by default), by name. Throws CliFault where a file is no query. */
export async function namedQueries(
  directory = join(packageRoot(), 'queries'),
): Promise<readonly NamedQuery[]> {
  const files = (await filesOf(directory)).filter((file) => file.endsWith('.yaml')).sort();
  return Promise.all(
    files.map(async (file) => readNamedQuery(await readFile(join(directory, file), 'utf8'), file)),
  );
}

async function filesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFault(exitCodes.usage, `The folder of queries can't be read: ${reason}`);
  }
}

function readNamedQuery(text: string, file: string): NamedQuery {
  const value: unknown = parseYaml(text);
  const [fault] = check(value);
  if (fault !== undefined) {
    throw new CliFault(exitCodes.usage, `${file} is no named query: ${fault.pointer} ${fault.detail}.`);
  }
  return value as NamedQuery;
}

/** Reads parameters: a text that its schema does not take is read as JSON (`true`, `5`, `["a"]`). */
export function readTexts(
  { parameters }: NamedQuery,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const valueOf = (name: string, text: string): unknown => {
    const check = jsonValidator(parameters[name]?.schema ?? {});
    if (check(text).length === 0) return text;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, valueOf(name, text)]));
}

/** Fills in the parameters. Throws CliFault for one that is missing, unknown or of the wrong kind. */
export function filledQuery(named: NamedQuery, given: Readonly<Record<string, unknown>>): unknown {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(named.parameters, name));
  if (unknown !== undefined)
    throw new CliFault(exitCodes.usage, `${named.name} has no parameter ${unknown}.`);
  for (const [name, { schema, example }] of Object.entries(named.parameters)) {
    const hint = `Give it as --param ${name}=${String(example)}.`;
    if (!Object.hasOwn(given, name)) throw new CliFault(exitCodes.usage, `${name} is missing. ${hint}`);
    const [fault] = jsonValidator(schema)(given[name]);
    if (fault !== undefined) throw new CliFault(exitCodes.usage, `${name} ${fault.detail}. ${hint}`);
  }
  return filled(named.query, given);
}

function filled(value: unknown, given: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, given));
  if (typeof value !== 'object' || value === null) return value;
  const name: unknown = Reflect.get(value, '$param');
  if (typeof name === 'string') return given[name];
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, given)]));
}
