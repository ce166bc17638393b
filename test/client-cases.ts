import { aTool, digest } from './hostile-tools.js';
import type { ToolInterface } from '../packages/tool-clients/tool-interface.js';

/** The specification's example, in two versions. */
export const readFile: readonly ToolInterface[] = ['0.0.1', '0.0.2'].map((version) => ({
  name: 'read_file',
  version,
  title: 'Read File',
  description:
    'A tool to read the partial content of a given file path based on the offset and limit setting',
  host: 'duo_workflow_service',
  digest,
  inputSchema: {
    type: 'object',
    required: ['file_path'],
    properties: {
      file_path: { type: 'string', description: 'The path of the file' },
      offset: { type: 'integer', description: 'number of byte to skip read', default: 1 },
      ...(version === '0.0.2' && {
        limit: { type: 'integer', description: 'max number of byte to read', default: 2000 },
      }),
    },
  },
}));

export const caseTools: readonly ToolInterface[] = [
  ...readFile,
  aTool('orders', {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'note'],
    properties: {
      id: { type: 'string', pattern: '^[a-z]\\w*$', maxLength: 3 },
      note: { type: ['string', 'null'] },
      state: { enum: ['open', 'closed', 1, null], default: 'open' },
      amount: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] },
      options: {
        type: 'object',
        default: {},
        properties: { deep: { type: 'boolean', default: true }, ['__proto__']: { type: 'integer' } },
      },
      shape: {
        oneOf: [
          {
            type: 'object',
            required: ['kind', 'radius'],
            properties: { kind: { const: 'circle' }, radius: { type: 'number', default: 1 } },
          },
          { type: 'object', required: ['kind'], properties: { kind: { const: 'point' } } },
        ],
      },
      tree: { $ref: '#/$defs/tree' },
    },
    $defs: {
      tree: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          size: { type: 'integer', default: 0 },
          children: { type: 'array', items: { $ref: '#/$defs/tree' } },
        },
      },
    },
  }),
  aTool('open_ended', {
    type: 'object',
    properties: { a: { type: 'integer' } },
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: { type: 'integer' },
  }),
  aTool('anything', { type: 'object', properties: { value: {} } }),
  aTool(
    'answer',
    { type: 'object', properties: { result: {}, metadata: {}, instruction: {} }, required: ['result'] },
    {
      outputSchema: {
        type: 'object',
        required: ['found'],
        properties: { found: { type: 'array', items: { type: 'integer' } } },
      },
    },
  ),
  aTool('odd_names', {
    type: 'object',
    properties: Object.fromEntries(
      ['def', 'kebab-name', '$odd', '1st', 'a\u{1f600}', '', '__proto__', 'Größe', 'a\nb'].map((name) => [
        name,
        { type: 'string' },
      ]),
    ),
  }),
  aTool('nothing', { type: 'object', properties: {}, additionalProperties: false }),
  aTool('endless', { $ref: '#', allOf: [{ $ref: '#' }], type: 'object' }),
  aTool('patterns', {
    type: 'object',
    properties: {
      line: { type: 'string', pattern: '^a.b$' },
      digits: { type: 'string', pattern: '^\\d+$' },
      space: { type: 'string', pattern: '^\\s$' },
      word: { type: 'string', pattern: '\\bword\\b' },
      emoji: { type: 'string', pattern: '^[\u{1f600}-\u{1f64f}]{2}$' },
      lazy: { type: 'string', pattern: '^a{2}?$' },
      none: { type: 'string', pattern: '^\\p{Lu}$' },
      class: { type: 'string', pattern: '^[[&&^]+$' },
    },
  }),
];

type Expected =
  { readonly result: unknown; readonly metadata?: object; readonly instruction?: string } | readonly string[];

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const order = (rest: string): string => `{"id":"ab","note":null,${rest}}`;
const filled = { id: 'ab', note: null, state: 'open', tags: [], options: { deep: true } };
const fine = (rest: object): Expected => ({ result: rest });

/** Tool, arguments as JSON, and what every implementation answers: the output, or `pointer reason` of each fault. */
export const cases: readonly (readonly [tool: string, text: string, expected: Expected])[] = [
  ['read_file', '{"file_path":"a"}', fine({ file_path: 'a', offset: 1, limit: 2000 })],
  ['read_file', '{"file_path":"a","offset":7.0}', fine({ file_path: 'a', offset: 7, limit: 2000 })],
  ['read_file', '{"file_path":"a","offset":1.5,"limit":null}', ['/limit type', '/offset type']],
  ['read_file', '{"offset":true}', ['/file_path required', '/offset type']],
  ['read_file', '[]', [' type']],
  ['read_file', 'null', [' type']],
  ['read_file', '{"file_path":"a","unknown":1}', fine({ file_path: 'a', offset: 1, limit: 2000 })],
  ['orders', order('"amount":1.5'), fine({ ...filled, amount: 1.5 })],
  ['orders', order('"amount":1e400'), ['/amount json']],
  ['orders', order('"amount":0'), ['/amount exclusiveMinimum']],
  ['orders', order('"amount":-0.3'), ['/amount exclusiveMinimum', '/amount multipleOf']],
  ['orders', order('"state":1.0'), fine({ ...filled, state: 1 })],
  ['orders', order('"state":true'), ['/state enum']],
  ['orders', order('"state":null'), fine({ ...filled, state: null })],
  ['orders', order('"tags":["a","b","a"]'), ['/tags uniqueItems']],
  ['orders', order('"tags":["a",1]'), ['/tags/1 type']],
  [
    'orders',
    order('"a/b~c":1,"__proto__":2,"constructor":3'),
    ['/__proto__ additionalProperties', '/a~1b~0c additionalProperties', '/constructor additionalProperties'],
  ],
  ['orders', order('"options":{"__proto__":"x"}'), ['/options/__proto__ type']],
  ['orders', order('"options":{"deep":false}'), fine({ ...filled, options: { deep: false } })],
  ['orders', order('"shape":{"kind":"circle"}'), ['/shape/radius required']],
  ['orders', order('"shape":{"kind":"point"}'), fine({ ...filled, shape: { kind: 'point' } })],
  ['orders', order('"shape":{"kind":"line"}'), ['/shape oneOf']],
  [
    'orders',
    order('"tree":{"name":"a","children":[{"name":"b"}]}'),
    fine({ ...filled, tree: { name: 'a', size: 0, children: [{ name: 'b', size: 0 }] } }),
  ],
  [
    'orders',
    order('"tree":{"name":"a","children":[{"size":"b"}]}'),
    ['/tree/children/0/name required', '/tree/children/0/size type'],
  ],
  ['orders', '{"id":"abcd"}', ['/id maxLength', '/note required']],
  ['orders', '{"id":"a\\n","note":"x"}', ['/id pattern']],
  ['orders', '{"id":"x\\u00e9","note":"x"}', ['/id pattern']],
  ['open_ended', '{"a":1,"x-b":"c","d":2}', fine({ a: 1, 'x-b': 'c', d: 2 })],
  ['open_ended', '{"a":"1","x-b":2,"d":"2"}', ['/a type', '/d type', '/x-b type']],
  [
    'anything',
    '{"value":{"1":[],"é":"\u{1f600}","b":{}}}',
    fine({ value: { '1': [], é: '\u{1f600}', b: {} } }),
  ],
  ['anything', `{"value":${deep(90)}}`, { result: { value: JSON.parse(deep(90)) as unknown } }],
  ['anything', `{"value":${deep(150)}}`, [' limit']],
  [
    'answer',
    '{"result":{"found":[1,2.0]},"metadata":{"a":1},"instruction":"go on"}',
    { result: { found: [1, 2] }, metadata: { a: 1 }, instruction: 'go on' },
  ],
  ['answer', '{"result":{"found":[]},"metadata":null,"instruction":null}', { result: { found: [] } }],
  [
    'answer',
    '{"result":{"found":["x"]},"metadata":[],"instruction":1}',
    ['/result/found/0 type', '/metadata type', '/instruction type'],
  ],
  ['answer', '{"result":null}', ['/result type']],
  [
    'odd_names',
    '{"def":"1","kebab-name":"2","$odd":"3","1st":"4","a\u{1f600}":"5","":"6","__proto__":"7","Größe":"8","a\\nb":"9"}',
    fine({
      ...{ def: '1', 'kebab-name': '2', $odd: '3', '1st': '4', 'a\u{1f600}': '5', '': '6' },
      ...{ ['__proto__']: '7', Größe: '8', 'a\nb': '9' },
    }),
  ],
  ['nothing', '{}', fine({})],
  ['nothing', '{"a":1}', ['/a additionalProperties']],
  ['endless', '{}', [' limit']],
  ['patterns', '{"line":"a\\u2028b"}', ['/line pattern']],
  ['patterns', '{"line":"a\\u0085b"}', fine({ line: 'a\u0085b' })],
  ['patterns', '{"line":"x\\na-b"}', ['/line pattern']],
  ['patterns', '{"digits":"\u0661"}', ['/digits pattern']],
  ['patterns', '{"space":"\\u00a0"}', fine({ space: '\u00a0' })],
  ['patterns', '{"space":"\\u0085"}', ['/space pattern']],
  ['patterns', '{"word":"éword."}', fine({ word: 'éword.' })],
  ['patterns', '{"word":"swords"}', ['/word pattern']],
  ['patterns', '{"emoji":"\u{1f600}\u{1f601}"}', fine({ emoji: '\u{1f600}\u{1f601}' })],
  ['patterns', '{"emoji":"\u{1f600}"}', ['/emoji pattern']],
  ['patterns', '{"lazy":""}', ['/lazy pattern']],
  ['patterns', '{"none":"a"}', fine({ none: 'a' })],
  ['patterns', '{"class":"[&^"}', fine({ class: '[&^' })],
];
