/** Texts and uploads of strangers: bombs, depths, references out of the document, reserved names, code. */
import { lightapi, many, nested, times } from './hostile-documents.js';
import {
  code,
  elsewhere,
  openapiElsewhere,
  openapiOfCode,
  reserved,
  swaggerElsewhere,
} from './hostile-openapi.js';

const yaml = (rest: string) => `openapi: 3.1.0\npaths: { /a: { get: {} } }\n${rest}\n`;
const bomb = many(
  10,
  (level) =>
    `x-${String(level)}: &a${String(level)} [${times(`${level === 0 ? 'lol' : `*a${String(level - 1)}`}, `, 10)}]`,
).join('\n');

/** What each ends in: the code that it is refused with, or the number of endpoints. */
export const hostileTexts: [name: string, document: unknown, end: string | number][] = [
  ['YAML, an alias bomb', yaml(bomb), 'document_too_large'],
  [
    'YAML, long texts in an alias bomb',
    yaml(`x-a: &a ${times('lol ', 100_000)}\nx-b: [${times('*a, ', 1_000)}]`),
    'document_too_large',
  ],
  [
    'YAML, more aliases than any document has',
    yaml(`x-a: &a {}\nx-b: [${times('*a, ', 30_000)}]`),
    'document_too_expensive',
  ],
  [
    'YAML, merge keys of merge keys',
    yaml(
      many(
        30,
        (level) =>
          `x-${String(level)}: &a${String(level)} { k${String(level)}: 1, ${level === 0 ? '' : `<<: [${times(`*a${String(level - 1)}, `, 20)}]`} }`,
      ).join('\n'),
    ),
    1,
  ],
  ['YAML, an alias of what contains it', yaml('x-a: &a { b: *a }'), 'document_contains_itself'],
  ['YAML, lists in lists', yaml(`x-a: ${times('[', 100_000)}${times(']', 100_000)}`), 'document_too_deep'],
  [
    'YAML, mappings below mappings',
    yaml(many(2_000, (level) => `${times(' ', level)}x-a:`).join('\n')),
    'document_too_deep',
  ],
  [
    'YAML, code in tags',
    yaml(
      'x-a: !!js/function "function () { globalThis.ran = 1 }"\nx-b: !!python/object/apply:os.system [ls]',
    ),
    'malformed_yaml',
  ],
  [
    'JSON, lists in lists',
    `{"openapi":"3.1.0","x-a":${times('[', 500_000)}${times(']', 500_000)}}`,
    'document_too_deep',
  ],
  [
    'JSON, objects in objects',
    `{"openapi":"3.1.0","x-a":${times('{"a":', 300_000)}1${times('}', 300_000)}}`,
    'document_too_deep',
  ],
  [
    'JSON, members that stand twice in a deep one',
    `{"openapi":"3.1.0","x-a":1,"x-a":${times('[', 100_000)}${times(']', 100_000)}}`,
    'document_too_deep',
  ],
  ['JSON, brackets without end', times('[', 1_000_000), 'malformed_json'],
  [
    'OpenAPI, a schema too deep',
    { openapi: '3.1.0', paths: {}, components: { schemas: { S: nested(250) } } },
    'document_too_deep',
  ],
  ['OpenAPI, references to files and to loopback addresses', openapiElsewhere, elsewhere.length + 1],
  ['OpenAPI 2.0, references to files and to loopback addresses', swaggerElsewhere, 1],
  [
    'OpenAPI, reserved names',
    reserved('"openapi":"3.1.0"', (members) => `"components":{"schemas":{${members}}}`),
    5,
  ],
  ['OpenAPI 2.0, reserved names', reserved('"swagger":"2.0"', (members) => `"definitions":{${members}}`), 5],
  ['OpenAPI, code in its words', openapiOfCode, 1],
  ['LightAPI, code in its words', lightapi({ description: code, summary: code, safety: { notes: code } }), 1],
  [
    'MCP, code in its words',
    { tools: [{ name: code, title: code, description: code, inputSchema: { description: code } }] },
    1,
  ],
  [
    'an upload, a path out of its folder',
    { files: { 'openapi.yaml': yaml(''), '../../etc/cron.d/x.yaml': 'a: 1' } },
    'unsafe_path',
  ],
  [
    'an upload, references out of its folder',
    { files: { 'openapi.yaml': yaml("x-a: { $ref: '../../etc/passwd' }"), 'b.yaml': 'a: 1' } },
    1,
  ],
  [
    'an upload, an alias bomb beside its description',
    { files: { 'openapi.yaml': yaml(''), 'bomb.yaml': bomb } },
    1,
  ],
  [
    'an upload, an alias bomb as its description',
    { files: { 'openapi.yaml': yaml(bomb) }, main: 'openapi.yaml' },
    'document_too_large',
  ],
];
