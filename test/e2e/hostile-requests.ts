import { declaredRoutes } from '../../src/openapi.js';

/** A request as an attacker would send it. */
export interface HostileRequest {
  /** Route, member and what it holds. */
  readonly title: string;
  readonly method: string;
  /** Below the host. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
}

type Schema = Readonly<Record<string, unknown>>;
type Step = string | number;

/** A place in a body that takes a text or a list, and the schema of what stands there. */
interface Place {
  readonly steps: readonly Step[];
  readonly schema: Schema;
}

export const routes = declaredRoutes().filter(
  ({ operation }) => operation.scope !== 'none' && operation.answerType !== 'text/event-stream',
);
type Route = (typeof routes)[number];

const nobody = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5eff';
const BODY = 1_000_000;

/** How a text begins and goes on that costs what reads it carelessly more than its length. */
export const worstTexts: readonly (readonly [beginning: string, unit: string])[] = [
  ['<a ', 'a'],
  ['<a ', 'a '],
  ['<a b="', '\'" '],
  ...[
    '\u{1F600}',
    '[',
    '_',
    '*a_',
    '<',
    '<a>',
    '<!--',
    '&',
    '&#',
    '"\'',
    ' ',
    '\t',
    '/',
    '\\',
    '`',
    '![',
    '[a](',
    '](',
  ].map((unit) => ['', unit] as const),
  ...[
    '- a\n',
    '> ',
    '\n',
    '|a|\n|-|\n',
    'a\u202E',
    'a b',
    'aB3+/',
    '://',
    'a.',
    '.eyJaaaaaaaa',
    'Bearer ',
    'Basic aaaa',
  ].map((unit) => ['', unit] as const),
  ...[
    '-----BEGIN PRIVATE KEY-----\n',
    'password=',
    'sk-',
    'AKIA',
    'xox',
    'a:b@',
    '${',
    '{',
    '(',
    '.*',
    '%',
    '0',
    '-',
    'a-',
  ].map((unit) => ['', unit] as const),
  ['x', ' '],
  ['{a: ', '['],
  ['a: ', '&a '],
];

export function textOf([beginning, unit]: readonly [string, string], length: number): string {
  return (beginning + unit.repeat(Math.ceil(length / unit.length)))
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/** The path of a route, its parameters filled in. */
export function pathOf({ url, operation }: Route, names: Readonly<Record<string, string>> = {}): string {
  const path = url
    .replace('/v1/hosts/:hostId', '')
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? nobody));
  const query = new URLSearchParams((operation.example.query ?? {}) as Record<string, string>).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Every text and list that a body may hold, each of its branches included. */
function placesIn(schema: unknown, type: 'string' | 'array', steps: readonly Step[] = []): Place[] {
  if (typeof schema !== 'object' || schema === null || steps.length > 6) return [];
  const { type: own, items, properties, additionalProperties, anyOf, oneOf, allOf } = schema as Schema;
  const inner = [
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => placesIn(member, type, [...steps, name])),
    ...placesIn(items, type, [...steps, 0]),
    ...placesIn(additionalProperties, type, [...steps, 'any']),
    ...[anyOf, oneOf, allOf].flatMap((branches) =>
      Array.isArray(branches) ? branches.flatMap((branch) => placesIn(branch, type, steps)) : [],
    ),
  ];
  return [own].flat().includes(type) ? [{ steps, schema: schema as Schema }, ...inner] : inner;
}

/** The body of the example with another value in one place, as JSON. */
function bodyWith({ operation }: Route, steps: readonly Step[], value: string): string {
  const marker = '\u0000place\u0000';
  const body: unknown = structuredClone(operation.example.body ?? {});
  const holder = { body } as Record<Step, unknown>;
  let place = holder;
  const all: Step[] = ['body', ...steps];
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
  return JSON.stringify(holder['body']).replace(JSON.stringify(marker), () => value);
}

/** As few as there are rules: what has the same name and the same schema elsewhere is read by the same code. */
function distinct(
  places: readonly (Place & { readonly route: Route })[],
): (Place & { readonly route: Route })[] {
  const seen = new Map<string, Place & { readonly route: Route }>();
  for (const place of places) {
    const { description: _, ...rule } = place.schema;
    const key = JSON.stringify([place.steps.filter((step) => step !== 0).at(-1), rule]);
    if (!seen.has(key)) seen.set(key, place);
  }
  return [...seen.values()];
}

function places(type: 'string' | 'array'): (Place & { readonly route: Route })[] {
  return distinct(
    routes.flatMap((route) => placesIn(route.operation.body, type).map((place) => ({ ...place, route }))),
  );
}

function titleOf({ route, steps }: Place & { readonly route: Route }): string {
  return `${route.method} ${route.url} /${steps.join('/')}`;
}

/** Each text of a body that is a rule of its own, at its limit; the requests of one text together. */
export function textRequests(): HostileRequest[][] {
  return places('string')
    .filter(({ schema }) => !('enum' in schema) && !('const' in schema))
    .map((place) => {
      const longest = Math.min(Number(place.schema['maxLength'] ?? BODY), BODY);
      return worstTexts.map((worst) => {
        const room = Math.floor(
          (BODY / Math.max(1, Buffer.byteLength(JSON.stringify(worst[1])) - 2)) * worst[1].length,
        );
        return {
          title: `${titleOf(place)} ${JSON.stringify(worst)}`,
          method: place.route.method,
          path: pathOf(place.route),
          body: bodyWith(place.route, place.steps, JSON.stringify(textOf(worst, Math.min(longest, room)))),
        };
      });
    });
}

/** Each list of a body filled with what does not belong there, and each body with members that nobody knows. */
export function rejectedRequests(): HostileRequest[] {
  const lists = places('array').flatMap((place) =>
    ['1', '{}', '[]', `"${nobody}"`].map((item) => ({
      title: `${titleOf(place)} of ${item}`,
      method: place.route.method,
      path: pathOf(place.route),
      body: bodyWith(place.route, place.steps, listOf(item)),
    })),
  );
  const unknown = `{${Array.from({ length: 90_000 }, (_, at) => `"m${String(at)}":0`).join()}}`;
  const bodies = routes
    .filter(({ operation }) => operation.body !== undefined)
    .flatMap((route) =>
      [listOf('1'), unknown, '['.repeat(BODY), '{"a":'.repeat(BODY / 5), `${' '.repeat(BODY)}x`].map(
        (body) => ({
          title: `${route.method} ${route.url} ${body.slice(0, 12)}…`,
          method: route.method,
          path: pathOf(route),
          body,
        }),
      ),
    );
  return [...lists, ...bodies];
}

function listOf(item: string): string {
  return `[${Array.from({ length: Math.floor(BODY / (item.length + 1)) }, () => item).join()}]`;
}

/** Each query that is a text, and each name in a path, as long as an address may be. */
export function addressRequests(): HostileRequest[][] {
  return routes.map((route) =>
    worstTexts.map((worst) => {
      const names = [...route.url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      const text = textOf(worst, 1_000);
      const asked = Object.entries((route.operation.query as Schema | undefined)?.['properties'] ?? {})
        .filter(([, schema]) => [(schema as Schema)['type']].flat().includes('string'))
        .map(([name]) => [name, text] as [string, string]);
      const path = pathOf(route, Object.fromEntries(names.map((name) => [name, text]))).replace(/\?.*/, '');
      return {
        title: `${route.method} ${route.url} ${JSON.stringify(worst)}`,
        method: route.method,
        path:
          names.length > 1
            ? path
            : `${pathOf(route).replace(/\?.*/, '')}?${new URLSearchParams(asked).toString()}`,
      };
    }),
  );
}

const oddValues = [
  'null',
  'true',
  '-0',
  '1e308',
  '""',
  '[]',
  '{}',
  '[[[[1]]]]',
  '{"__proto__":1}',
  '{"constructor":{}}',
  '"\\u0000"',
  '"\\ud800"',
];

/** Requests drawn from all of these, and odd values in odd places; the same ones for the same seed. */
export function* drawnRequests(seed: number, count: number): Generator<HostileRequest> {
  const random = randomFrom(seed);
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('There is nothing to draw from.');
    return item;
  };
  const kinds = [textRequests().flat(), addressRequests().flat(), rejectedRequests()];
  const all = [...places('string'), ...places('array')];
  for (let drawn = 0; drawn < count; drawn += 1) {
    if (random() < 0.6) yield one(one(kinds));
    else {
      const place = one(all);
      const value = one(oddValues);
      const body = bodyWith(place.route, place.steps, value);
      const { method } = place.route;
      yield { title: `${titleOf(place)} ${value}`, method, path: pathOf(place.route), body };
    }
  }
}

/** Numbers from 0 up to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
