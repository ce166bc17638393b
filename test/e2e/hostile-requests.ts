import {
  addressOf,
  addressPlaces,
  argumentPlaces,
  BODY,
  bodyPlaces,
  callOf,
  nobody,
  routes,
  type HostileRequest,
  type ListedTool,
  type Place,
  type Route,
  type Schema,
} from './hostile-places.js';

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

export function textOf([beginning, unit]: readonly [string, string], longest: number): string {
  // As much as a body holds, its escapes counted.
  const escaped = Math.max(1, Buffer.byteLength(JSON.stringify(unit)) - 2);
  const length = Math.min(longest, Math.floor((BODY / escaped) * unit.length));
  return (beginning + unit.repeat(Math.ceil(length / unit.length)))
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/** What was made once: the same texts go to thousands of places. */
const made = new Map<string, string>();
function once(title: string, make: () => string): string {
  const text = made.get(title) ?? make();
  made.set(title, text);
  return text;
}

function textAt(worst: readonly [string, string], longest: number): string {
  return once(`${JSON.stringify(worst)} ${String(longest)}`, () => JSON.stringify(textOf(worst, longest)));
}

/** The places of each kind. */
function byKind(places: readonly Place[]): Place[][] {
  const kinds = new Map<string, Place[]>();
  for (const place of places) kinds.set(place.kind, [...(kinds.get(place.kind) ?? []), place]);
  return [...kinds.values()];
}

/** Each value at each kind of place, and each place with one value at least. */
function* spread<Value>(
  places: readonly Place[],
  values: readonly Value[],
  request: (place: Place, value: Value) => HostileRequest,
) {
  for (const same of byKind(places)) {
    for (let at = 0; at < Math.max(same.length, values.length); at += 1) {
      const [place, value] = [same[at % same.length], values[at % values.length]];
      if (place !== undefined && value !== undefined) yield request(place, value);
    }
  }
}

function worstAt(place: Place, worst: readonly [string, string]): HostileRequest {
  return place.request(() => textAt(worst, place.longest), JSON.stringify(worst));
}

/** Texts of bodies at their limit. */
export const textRequests = () => spread(bodyPlaces('string'), worstTexts, worstAt);

/** Each of the texts once, each at another place. */
export function* worstOnce(): Generator<HostileRequest> {
  const kinds = byKind(bodyPlaces('string'));
  for (const [at, worst] of worstTexts.entries()) {
    const place = kinds[at % kinds.length]?.[0];
    if (place !== undefined) yield worstAt(place, worst);
  }
}

/** Queries that are texts, and names in paths, as long as an address may be. */
export const addressRequests = () => spread(addressPlaces(), worstTexts, worstAt);

/** Arguments of the commands at `/mcp`: texts at their limit, lists of what does not belong there, members that nobody knows. */
export function* argumentRequests(tools: readonly ListedTool[]): Generator<HostileRequest> {
  yield* spread(argumentPlaces('string', tools), worstTexts, worstAt);
  yield* spread(argumentPlaces('array', tools), wrongItems, listAt);
  for (const { name } of tools) {
    const [before = '', after = ''] = JSON.stringify(callOf(name, 'arguments')).split('"arguments"}');
    const body = () => `${before}${unknownMembers()}}${after}`;
    yield { title: `/mcp ${name} unknown members`, method: 'POST', path: '/mcp', body };
  }
}

const wrongItems = ['1', '{}', '[]', `"${nobody}"`];
const listAt = (place: Place, item: string): HostileRequest =>
  place.request(() => listOf(item), `of ${item}`);

const wrongBodies: readonly (readonly [string, () => string])[] = [
  ['a list', () => listOf('1')],
  ['lists in lists', () => '['.repeat(BODY)],
  ['objects in objects', () => '{"a":'.repeat(BODY / 5)],
  ['members without end', () => membersOf(90_000)],
  ['blanks', () => `${' '.repeat(BODY)}x`],
];
/** As many as one object may have; with more it is refused before anybody looks for them. */
const unknownMembers = () => membersOf(10_000);

/** Lists of bodies filled with what does not belong there, and bodies that are none, or of members that nobody knows. */
export function* rejectedRequests(): Generator<HostileRequest> {
  yield* spread(bodyPlaces('array'), wrongItems, listAt);
  const taking = routes.filter(({ operation }) => operation.body !== undefined);
  for (const route of taking) yield bodyOf(route, 'unknown members', unknownMembers);
  // What is no object is refused before anybody looks at its members: by the parser, and by the outermost words of a schema.
  const unlike = new Map(
    taking.map((route) => [route.method + outermostOf(route.operation.body as Schema), route]),
  );
  for (const route of unlike.values())
    for (const [title, body] of wrongBodies) yield bodyOf(route, title, body);
}

function bodyOf(route: Route, title: string, body: () => string): HostileRequest {
  const { method, url } = route;
  return { title: `${method} ${url} ${title}`, method, path: addressOf(route), body };
}

function outermostOf({ type, anyOf, oneOf, allOf }: Schema): string {
  const inner = [anyOf, oneOf, allOf].map((branches) => (branches as Schema[] | undefined)?.map(outermostOf));
  return JSON.stringify([type, ...inner]);
}

function membersOf(count: number): string {
  return once(
    `${String(count)} members`,
    () => `{${Array.from({ length: count }, (_, at) => `"m${String(at)}":0`).join()}}`,
  );
}

function listOf(item: string): string {
  const count = Math.floor(BODY / (item.length + 1));
  return once(`list of ${item}`, () => `[${`${item},`.repeat(count - 1)}${item}]`);
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
  const [texts, lists, addresses] = [bodyPlaces('string'), bodyPlaces('array'), addressPlaces()];
  const rejected = [...rejectedRequests()];
  const kinds = [
    () => worstAt(one(texts), one(worstTexts)),
    () => worstAt(one(addresses), one(worstTexts)),
    () => listAt(one(lists), one(wrongItems)),
    () => one(rejected),
  ];
  for (let drawn = 0; drawn < count; drawn += 1) {
    if (random() < 0.6) yield one(kinds)();
    else {
      const value = one(oddValues);
      yield one([...texts, ...lists]).request(() => value, value);
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
