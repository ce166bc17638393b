import { declaredRoutes } from '../../src/openapi.js';
import { sample } from '../../src/sample/sample-ids.js';

/** A request as an attacker would send it. */
export interface HostileRequest {
  /** Route, member and what it holds. */
  readonly title: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** JSON text; long ones are made when they are sent. */
  readonly body?: () => string;
}

export type Schema = Readonly<Record<string, unknown>>;
type Step = string | number;

/** Where a text or a list is taken: in a body, in an address, among the arguments of a command. */
export interface Place {
  readonly title: string;
  /** What has the same kind is read by the same code. */
  readonly kind: string;
  /** Most characters of a text. */
  readonly longest: number;
  readonly request: (json: () => string, title: string) => HostileRequest;
}

export const routes = declaredRoutes().filter(
  ({ operation }) => operation.scope !== 'none' && operation.answerType !== 'text/event-stream',
);
export type Route = (typeof routes)[number];

/** The host that is asked. */
const { hostId } = sample;

export const nobody = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5eff';
export const BODY = 1_000_000;
const ADDRESS = 1_000;

/** The path of a route, its parameters filled in. */
function pathOf({ url }: Route, names: Readonly<Record<string, string>> = {}): string {
  return url.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(names[name] ?? (name === 'hostId' ? hostId : nobody)),
  );
}

export function addressOf(route: Route, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...(route.operation.query && route.operation.example.query), ...more });
  return `${pathOf(route)}?${query.toString()}`;
}

/** Every text, or list, that a value may hold, each of its branches included; of what no schema describes those of the example. */
function stepsTo(type: 'string' | 'array', schema: unknown, example: unknown): [readonly Step[], Schema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const shown = (typeof example === 'object' && example !== null ? example : {}) as Readonly<
    Record<Step, unknown>
  >;
  const { type: own, items, properties, additionalProperties, anyOf, oneOf, allOf } = schema as Schema;
  const below = (step: Step, inner: unknown): [readonly Step[], Schema][] =>
    stepsTo(type, inner, shown[step]).map(([steps, rule]) => [[step, ...steps], rule]);
  const inner = [
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => below(name, member)),
    ...below(0, items),
    ...below('any', additionalProperties),
    ...[anyOf, oneOf, allOf].flatMap((branches) =>
      Array.isArray(branches) ? branches.flatMap((branch) => stepsTo(type, branch, example)) : [],
    ),
  ];
  const itself: [readonly Step[], Schema][] = [own].flat().includes(type) ? [[[], schema as Schema]] : [];
  const isOpen = own === 'object' && properties === undefined && inner.length === 0;
  if (!isOpen) return [...itself, ...inner];
  return Object.entries(shown).flatMap(([name, value]) => below(name, schemaOf(value)));
}

/** Of a value that no schema describes. */
function schemaOf(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
  return { type: typeof value === 'object' ? 'object' : typeof value };
}

/** The value with a marker in one place, as JSON in two parts. */
function around(value: unknown, steps: readonly Step[]): [before: string, after: string] {
  const marker = '\u0000place\u0000';
  const holder = { value: structuredClone(value) } as Record<Step, unknown>;
  let place = holder;
  const all: Step[] = ['value', ...steps];
  all.forEach((step, at) => {
    const next = all[at + 1];
    if (next === undefined) place[step] = marker;
    else {
      const there = place[step];
      const fits =
        typeof there === 'object' && there !== null && Array.isArray(there) === (typeof next === 'number');
      place = (place[step] = fits ? there : typeof next === 'number' ? [] : {}) as Record<Step, unknown>;
    }
  });
  return JSON.stringify(holder['value']).split(JSON.stringify(marker)) as [string, string];
}

/**
 * A pattern or format lets nothing long through, and what is short is nothing to read: it is the rule that counts there, whatever its
 * name. Other texts are read by code of their own.
 */
function kindOf(name: Step | undefined, schema: Schema): string {
  const { format, pattern, maxLength } = schema;
  const isOwn = format === undefined && pattern === undefined && !(Number(maxLength) <= 256);
  return JSON.stringify([format, pattern, maxLength, ...(isOwn ? [name] : [])]);
}

function isFree(schema: Schema): boolean {
  return !('enum' in schema) && !('const' in schema);
}

export function bodyPlaces(type: 'string' | 'array'): Place[] {
  return routes.flatMap((route) => {
    const { body, example } = route.operation;
    const path = addressOf(route);
    return stepsTo(type, body, example.body ?? {})
      .filter(([, rule]) => isFree(rule))
      .map(([steps, rule]) => {
        const title = `${route.method} ${route.url} /${steps.join('/')}`;
        const [before, after] = around(example.body ?? {}, steps);
        return {
          title,
          kind: kindOf(steps.filter((step) => step !== 0).at(-1), rule),
          longest: Number(rule['maxLength'] ?? BODY),
          request: (json, what) => ({
            title: `${title} ${what}`,
            ...{ method: route.method, path, body: () => before + json() + after },
          }),
        } satisfies Place;
      });
  });
}

/** Queries that are texts, and names in paths. */
export function addressPlaces(): Place[] {
  return routes.flatMap((route) => {
    const { query, params } = route.operation;
    const queries = Object.entries(
      ((query as Schema | undefined)?.['properties'] ?? {}) as Record<string, Schema>,
    )
      .map(
        ([name, schema]) =>
          [name, ([schema['type']].flat().includes('array') ? schema['items'] : schema) as Schema] as const,
      )
      .filter(([, schema]) => [schema['type']].flat().includes('string') && isFree(schema))
      .map(([name, schema]) => ({
        name,
        schema,
        pathFor: (text: string) => addressOf(route, { [name]: text }),
      }));
    const names = [...route.url.matchAll(/:(\w+)/g)]
      .map(([, name = '']) => name)
      .map((name) => ({
        name,
        schema: (params?.[name] ?? {
          type: 'string',
          format: name.endsWith('Id') ? 'uuid' : undefined,
        }) as Schema,
        pathFor: (text: string) => pathOf(route, { [name]: text }),
      }));
    return [...queries, ...names].map(({ name, schema, pathFor }) => {
      const title = `${route.method} ${route.url} ${name}`;
      return {
        title,
        kind: `in the address ${kindOf(name, schema)}`,
        longest: ADDRESS,
        request: (json, what) => ({
          title: `${title} ${what}`,
          ...{ method: route.method, path: pathFor(JSON.parse(json()) as string) },
        }),
      } satisfies Place;
    });
  });
}

/** As `/mcp` lists it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Schema;
}

export function argumentPlaces(type: 'string' | 'array', tools: readonly ListedTool[]): Place[] {
  return tools.flatMap(({ name, inputSchema }) => {
    const least = leastOf(inputSchema);
    return stepsTo(type, inputSchema, least)
      .filter(([, rule]) => isFree(rule))
      .map(([steps, rule]) => {
        const title = `/mcp ${name} /${steps.join('/')}`;
        const [before, after] = around(callOf(name, least), ['params', 'arguments', ...steps]);
        return {
          title,
          kind: `at /mcp ${kindOf(steps.filter((step) => step !== 0).at(-1), rule)}`,
          longest: Number(rule['maxLength'] ?? BODY),
          request: (json, what) => ({
            title: `${title} ${what}`,
            ...{ method: 'POST', path: '/mcp', body: () => before + json() + after },
          }),
        } satisfies Place;
      });
  });
}

export function callOf(name: string, args: unknown): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}

/** A value that a schema takes, with no more than it must have. */
function leastOf({ type, format, enum: values, properties, required, items }: Schema): unknown {
  if (Array.isArray(values)) return values[0];
  switch ([type].flat()[0]) {
    case 'object': {
      const members = (properties ?? {}) as Record<string, Schema>;
      return Object.fromEntries(
        ((required ?? []) as string[]).map((name) => [name, leastOf(members[name] ?? {})]),
      );
    }
    case 'array':
      return [leastOf((items ?? {}) as Schema)];
    case 'string':
      return format === 'uuid' ? nobody : 'Tool';
    default:
      return 1;
  }
}
