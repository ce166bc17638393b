import { addressOf, BODY, routes, type HostileRequest, type Schema } from './hostile-places.js';

/** Bytes that values at one place of a body may still take, and what texts are filled with. */
interface Room {
  left: number;
  readonly text: string;
}

/** Words of a script that is written with blanks, one without, and characters that are made of many. */
export const fillings = {
  words: 'word ',
  ideographs: Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(''),
  ligatures: '\ufdfa ',
} as const;

/** As much as half a body holds: what is filled has room for the rest. */
const FULL = BODY / 2;
/** Members and items of what a schema leaves open, and lists within. */
const OPEN = 10_000;

/**
 * A value that fills what a schema allows, as far as there is room: each member, texts and lists as long as they may be. What a
 * schema says more of, by a pattern or a format, is as in the example.
 */
function filled(schema: unknown, example: unknown, room: Room): unknown {
  const {
    type,
    anyOf,
    oneOf,
    enum: values,
    const: only,
    pattern,
    format,
    maxLength,
    ...rest
  } = schema as Schema;
  const branch = ((anyOf ?? oneOf) as Schema[] | undefined)?.at(-1);
  if (branch !== undefined) return filled(branch, example, room);
  if (only !== undefined || values !== undefined) return only ?? (values as unknown[])[0];
  switch ([type].flat()[0]) {
    case 'object':
      return filledObject(rest, example, room);
    case 'array':
      return filledList(rest, example, room);
    case 'string': {
      if (pattern !== undefined || format !== undefined) return example ?? '';
      const bytes = Buffer.byteLength(room.text) / room.text.length;
      const most = Math.floor(room.left / bytes);
      const length = Math.max(1, Math.min(Number(maxLength ?? most), most));
      room.left -= Math.ceil(length * bytes);
      return room.text.repeat(Math.ceil(length / room.text.length)).slice(0, length);
    }
    default:
      return example ?? 1;
  }
}

function filledObject(rest: Schema, example: unknown, room: Room): unknown {
  const { properties } = rest;
  const shown = (example ?? {}) as Readonly<Record<string, unknown>>;
  if (properties === undefined) {
    const count = Math.max(1, Math.min(OPEN, Math.floor(room.left / 40)));
    room.left -= count * 40;
    const list = Array.from({ length: count }, (_, at) => [[at]]);
    return { ...shown, properties: { a: { default: list, enum: list } } };
  }
  const members = Object.entries(properties as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    members.map(([name, member], at) => {
      // Each has its share of what is left.
      const share = { ...room, left: Math.floor(room.left / (members.length - at)) };
      const before = share.left;
      const value = filled(member, shown[name], share);
      room.left -= before - share.left;
      return [name, value];
    }),
  );
}

function filledList({ items, maxItems }: Schema, example: unknown, room: Room): unknown {
  const [first] = (Array.isArray(example) ? example : []) as readonly unknown[];
  const most = Math.min(Number(maxItems ?? OPEN), OPEN);
  const list: unknown[] = [];
  while (list.length < most && room.left > 0) {
    const share = { ...room, left: Math.max(1, Math.floor(room.left / (most - list.length))) };
    list.push(filled(items ?? {}, first, share));
    room.left -= Math.max(10, Buffer.byteLength(JSON.stringify(list.at(-1))));
  }
  return list;
}

const taking = routes.filter(({ operation }) => operation.body !== undefined);

/** Bodies of every route that takes one, with every limit filled. */
export function filledBodies(filling: keyof typeof fillings): HostileRequest[] {
  return taking.map((route) => {
    const { body, example } = route.operation;
    return {
      title: `${route.method} ${route.url} with every limit filled with ${filling}`,
      ...{ method: route.method, path: addressOf(route) },
      body: () => JSON.stringify(filled(body, example.body, { left: FULL, text: fillings[filling] })),
    };
  });
}

/** Names of parameters, as many as a spec of 128 KB holds. */
const specOf = (member: (at: number) => readonly [name: string, schema: object], count: number): object => ({
  ...{
    version: '1.0.0',
    name: 'filled_spec',
    description: 'Reads one file. Use it for files, not for folders.',
  },
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, (_, at) => member(at))),
  },
});
const specs: Readonly<Record<string, object>> = {
  'parameters without a word': specOf((at) => [`p${String(at)}`, { type: 'string' }], 4_000),
  'names with accents': specOf((at) => [`n\u00e9${String(at)}`, { type: 'string' }], 3_000),
  patterns: specOf((at) => [`p${String(at)}`, { pattern: `^[a-z]{${String(at)}}(x|y)*$` }], 1_500),
  'long patterns': specOf(
    (at) => [`p${String(at)}`, { pattern: `^[a-z]{${String(at)}}${'(x|y)?'.repeat(150)}$` }],
    120,
  ),
  dashes: specOf((at) => [`p${String(at)}`, { type: 'string', description: '-'.repeat(4_000) }], 31),
  'choices that lead back': {
    ...specOf(() => ['a', {}], 1),
    inputSchema: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/x' } },
      $defs: { x: { anyOf: Array(30).fill({ $ref: '#/$defs/x' }) } },
    },
  },
  'lists in lists': {
    ...specOf(() => ['a', {}], 1),
    outputSchema: { enum: Array.from({ length: 3_000 }, (_, at) => [[at]]) },
  },
  'numbers without end': { a: Array(340_000).fill(1) },
  'lists without end': { a: Array(330_000).fill([]) },
};

/** Specs at their limits, at each door for them. */
export function* filledSpecs(): Generator<HostileRequest> {
  for (const [title, spec] of Object.entries(specs)) {
    const text = JSON.stringify(spec);
    for (const [end, body] of [
      ['lint', { spec }],
      ['lint', { spec: text }],
      ['specs', { specText: text, dryRun: true }],
    ] as const) {
      const route = routes.find(({ url }) => url.endsWith(`/tools/${end}`));
      if (route === undefined) throw new Error(`There is no route tools/${end}.`);
      const sent = JSON.stringify(body);
      yield { title: `tools/${end}: ${title}`, method: 'POST', path: addressOf(route), body: () => sent };
    }
  }
}
