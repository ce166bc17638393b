import type { JsonObject } from '../../documents/json.js';
import { WarningLog } from '../../documents/findings.js';
import { fitOperation } from './fitting.js';
import { refusalsOf, refusedBy } from './provider-rules.js';

const text = { type: 'string' };
const fine = { type: 'object', properties: { 'user.id': text, tags: { type: 'array', items: text } } };
/** Who refuses what, and where. */
const refused = (inputSchema: JsonObject, name = 'get_user'): string[] =>
  refusalsOf({ name, inputSchema }).map(({ provider, pointer }) => `${provider} ${pointer}`);
const all = (pointer: string): string[] =>
  ['anthropic', 'openai', 'gemini'].map((each) => `${each} ${pointer}`);
const withArgument = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { a: schema } });

describe('a tool', () => {
  it('is taken by all makers of models, with any choice within its arguments', () => {
    expect(refused(fine)).toEqual([]);
    expect(refused(withArgument({ anyOf: [text, { type: 'array', items: {} }] }))).toEqual([]);
    expect(refused({ type: 'object', properties: {} })).toEqual([]);
  });

  it.each([
    ['1_first', ['gemini /name']],
    ['-dash', ['gemini /name']],
    ['a'.repeat(64), []],
  ])('is refused for its name: %s', (name, expected) => {
    expect(refused(fine, name)).toEqual(expected);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['no object at the root', { properties: {} }, all('/inputSchema')],
    ['no properties', { type: 'object' }, ['openai /inputSchema']],
    [
      'a choice at the root',
      { ...fine, oneOf: [{ required: ['tags'] }] },
      ['anthropic /inputSchema/oneOf', 'openai /inputSchema/oneOf'],
    ],
    ['an exclusion at the root', { ...fine, not: {} }, ['openai /inputSchema/not']],
    [
      'a reference at the root',
      { ...fine, $ref: '#/$defs/A', $defs: { A: fine } },
      ['openai /inputSchema/$ref', 'gemini /inputSchema/$ref'],
    ],
    [
      'names of arguments',
      { type: 'object', properties: { 'include[]': text, $top: text, ['a'.repeat(65)]: text } },
      ['include[]', '$top', 'a'.repeat(65)].map((name) => `anthropic /inputSchema/properties/${name}`),
    ],
    [
      'a list without items, however deep',
      withArgument({ anyOf: [text, { type: ['array', 'null'] }] }),
      ['openai', 'gemini'].map((each) => `${each} /inputSchema/properties/a/anyOf/1`),
    ],
    ['an enum without values', withArgument({ enum: [] }), all('/inputSchema/properties/a/enum')],
    [
      'what has no end',
      {
        ...withArgument({ $ref: '#/$defs/Node' }),
        $defs: {
          Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] },
        },
      },
      all('/inputSchema/$defs'),
    ],
  ])('is refused for %s', (_what, schema, expected) => {
    expect(refused(schema)).toEqual(expected);
    expect(refusedBy({ name: 'a_b', inputSchema: schema })).toEqual([
      ...new Set(expected.map((each) => each.split(' ')[0] ?? '')),
    ]);
  });

  it.each<[JsonObject]>([
    [{}],
    [{ type: 'object' }],
    [{ ...fine, oneOf: [{ required: ['tags'] }], not: { required: ['x'] } }],
    [{ type: 'object', properties: { 'include[]': { type: 'array' } } }],
  ])('is taken once it was made to fit: %j', (inputSchema) => {
    const facts = { method: 'call', path: '/a', inputSchema } as const;
    const { facts: fitted } = fitOperation({ endpoint: 'a@call', facts }, new WarningLog());
    expect(refused(fitted.inputSchema as JsonObject)).toEqual([]);
  });

  it('is judged soon, however many definitions refer to each other', () => {
    const node = (at: number): [string, JsonObject] => {
      const next = { $ref: `#/$defs/n${String(at + 1)}` };
      return [`n${String(at)}`, { type: 'object', properties: { next }, required: ['next'] }];
    };
    const $defs = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => node(at)));
    expect(refused({ ...withArgument({ $ref: '#/$defs/n0' }), $defs })).toEqual([]);
  });
});
