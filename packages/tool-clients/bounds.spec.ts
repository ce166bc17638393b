import { aTool } from '../../test/hostile-tools.js';
import { groups, largeTools, nested } from '../../test/large-tools.js';
import type { Json, JsonObject } from '../schema-reading/keywords.js';
import { generateClients } from './generate-clients.js';
import { languages, type Language } from './tool-interface.js';

const { jest } = import.meta;

const list = (count: number, each: (place: number) => Json): Json[] =>
  Array.from({ length: count }, (_, place) => each(place));
const named = (count: number, each: (place: number) => Json): JsonObject =>
  Object.fromEntries(list(count, each).map((value, place) => [`n${String(place)}`, value]));
const object = (name: string): JsonObject => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const member = (a: JsonObject): JsonObject => ({ type: 'object', properties: { a } });

const generated = (inputSchema: JsonObject, language: Language) =>
  generateClients(
    [
      {
        ...{ name: 'read', version: '1.0.0', title: 'Read', description: 'Reads.' },
        ...{ digest: 'sha256:0f', inputSchema },
      },
    ],
    language,
  );

/** What forms are told apart by, and names by: characters that are written, and look-ups. */
function workOf(inputSchema: JsonObject, language: Language): number {
  const writing = jest.spyOn(JSON, 'stringify');
  const looking = jest.spyOn(Map.prototype, 'has');
  const setting = jest.spyOn(Map.prototype, 'set');
  try {
    generated(inputSchema, language);
    const written = writing.mock.results.map(({ value }) => String(value).length);
    return (
      written.reduce((sum, length) => sum + length, 0) + looking.mock.calls.length + setting.mock.calls.length
    );
  } finally {
    for (const spy of [writing, looking, setting]) spy.mockRestore();
  }
}

const wide: readonly (readonly [what: string, schemaOf: (count: number) => JsonObject])[] = [
  ['constants', (count) => member({ anyOf: list(count, (place) => ({ const: `v${String(place)}` })) })],
  ['enums', (count) => member({ oneOf: list(count, (place) => ({ enum: [place, `v${String(place)}`] })) })],
  [
    'constants by patterns',
    (count) => member({ patternProperties: named(count, (place) => ({ const: place })) }),
  ],
  ['objects', (count) => member({ anyOf: list(count, (place) => object(`p${String(place)}`)) })],
  [
    'objects that all hold',
    (count) => ({ type: 'object', allOf: list(count, (place) => object(`p${String(place)}`)) }),
  ],
  [
    'definitions that all hold',
    (count) => ({
      type: 'object',
      $defs: named(count, (place) => object(`p${String(place)}`)),
      allOf: list(count, (place) => ({ $ref: `#/$defs/n${String(place)}` })),
    }),
  ],
];

it.each(wide.flatMap(([what, schemaOf]) => languages.map((language) => [what, language, schemaOf] as const)))(
  'four times as many %s are some four times the work for %s',
  (_what, language, schemaOf) => {
    const [some, more] = [workOf(schemaOf(250), language), workOf(schemaOf(1_000), language)];
    expect(more).toBeLessThan(some * 5);
  },
);

const both = (of: (name: string) => JsonObject): JsonObject => ({
  type: 'object',
  $defs: { ...of('a'), ...of('b') },
  properties: { each: { allOf: [{ $ref: '#/$defs/a0' }, { $ref: '#/$defs/b0' }] } },
});

it.each(languages)('definitions that lead to themselves may both hold, in %s', (language) => {
  const schema = both((name) => ({
    [`${name}0`]: {
      type: 'object',
      properties: { next: { $ref: `#/$defs/${name}0` }, [name]: { type: 'string' } },
      required: [name],
    },
  }));
  const { files, warnings } = generated(
    { ...schema, required: ['each'], properties: { ...(schema['properties'] as JsonObject) } },
    language,
  );
  expect(warnings).toEqual([]);
  if (language === 'typescript')
    expect(files.get('src/read/v1_0_0.ts')?.replace(/\s+/g, ' ')).toContain(
      'each: { next?: unknown; a: string; b: string; };',
    );
});

it.each(languages)(
  'definitions that branch and both hold come to no more than is written out, in %s',
  (language) => {
    const schema = both((name) =>
      Object.fromEntries(
        list(40, (place) => ({
          type: 'object',
          properties: Object.fromEntries(
            ['x', 'y'].map((side) => [side, { $ref: `#/$defs/${name}${String(place + 1)}` }]),
          ),
        })).map((each, place) => [`${name}${String(place)}`, each]),
      ),
    );
    const sizes = [...generated(schema, language).files.values()].map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThan(10_000_000);
  },
);

it('definitions that lead to each other by the thousand have types as far as these are read', () => {
  const chains = largeTools.filter(({ name }) => name.includes('chain'));
  const { modules, warnings } = generateClients(chains, 'ruby');
  expect(modules).toHaveLength(4);
  expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['not_typed']));
});

it.each(languages)(
  'a tool that is nested deeper than is read is left out of a package in %s alone',
  (language) => {
    const deep = (levels: number): JsonObject =>
      member(nested(levels, (items) => ({ type: 'array', items })));
    const tools = [197, 198, 10_000].map((levels) => aTool(`deep_${String(levels)}`, deep(levels)));
    const { modules, warnings } = generateClients(tools, language);
    expect(modules.map(({ tool }) => tool)).toEqual(['deep_197']);
    expect(warnings.filter(({ code }) => code === 'left_out').map(({ tool }) => tool)).toEqual([
      'deep_10000',
      'deep_198',
    ]);
  },
);

it.each(languages)(
  'a pattern of more groups within each other than 50 is checked in no language: %s',
  (language) => {
    const warned = [50, 51, 900].flatMap((levels) => {
      const schema = member({ type: 'string', pattern: groups(levels) });
      return generateClients([aTool('t', schema)], language).warnings;
    });
    expect(warned).toEqual([
      expect.objectContaining({ code: 'not_checked', pointer: '/inputSchema/properties/a/pattern' }),
      expect.objectContaining({ detail: expect.stringContaining('50 groups within each other') as string }),
    ]);
  },
);

it('definitions that each lead to the next are looked through once, from wherever they are led to', () => {
  const steps = (count: number): number => {
    const adding = jest.spyOn(Set.prototype, 'add');
    try {
      const last = { [`n${String(count)}`]: {} };
      const defs = named(count, (place) => ({ $ref: `#/$defs/n${String(place + 1)}` }));
      const properties = named(count, (place) => ({ $ref: `#/$defs/n${String(count - place)}` }));
      generated({ type: 'object', properties, $defs: { ...defs, ...last } }, 'ruby');
      return adding.mock.calls.length;
    } finally {
      adding.mockRestore();
    }
  };
  expect(steps(1_000)).toBeLessThan(steps(250) * 5);
});
