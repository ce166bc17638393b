import { decode } from '@toon-format/toon';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { paramsOf } from '../tools/model/tool-params.js';
import { catalogText, toolText } from './tool-text.js';

/** The text but for the edition of TOON, which heads every answer. */
const withoutHead = (text: string): string => text.replace(/^toon_spec: .*\n/, '');

function toolWith(inputSchema: object, more: object = {}): object {
  return {
    ...{ toolId: '0198c0de-0000-7000-8000-00000000c001', name: 'getThing', description: 'Finds a thing.' },
    ...{ version: '1.0.0', implementationType: 'lightapi_endpoint', lifecycleStatus: 'active' },
    ...{ inputSchema, params: paramsOf(inputSchema as Record<string, unknown>) },
    ...{ routingMetadata: { domain: 'things', semanticWeight: 1 } },
    safety: { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false },
    ...more,
  };
}

const plain = {
  type: 'object',
  required: ['thingNo'],
  properties: {
    thingNo: { type: 'string', description: 'Number of the thing.' },
    limit: { type: 'integer', default: 10 },
  },
};
const narrow = {
  ...plain,
  properties: { ...plain.properties, limit: { type: 'integer', minimum: 1, maximum: 50 } },
};
/** As servers of MCP write theirs. */
const closed = {
  ...plain,
  properties: {
    ...plain.properties,
    filter: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
  },
  additionalProperties: false,
};
const none = { type: 'object' };
const large = {
  type: 'object',
  $defs: { Part: { type: 'object', properties: { name: { type: 'string', pattern: '^[A-Z]+$' } } } },
  properties: Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { $ref: '#/$defs/Part' }])),
};

it.each([
  ['plain', toolWith(plain)],
  ['with limits', toolWith(narrow)],
  ['that takes no other members', toolWith(closed)],
  ['without arguments', toolWith(none)],
  ['with a large result', toolWith(none, { outputSchema: large })],
  ['whose params its schema does not say', toolWith(narrow, { params: [{ name: 'other', schema: true }] })],
])('tells a tool %s in no more tokens than its JSON', (_, tool) => {
  expect(countTokens(withoutHead(toolText(tool)))).toBeLessThanOrEqual(countTokens(JSON.stringify(tool)));
});

it('tells arguments as rows where these say all, and params only where the schema does not say the same', () => {
  expect(decode(toolText(toolWith(plain)))).toMatchObject({
    inputSchema: [
      { name: 'thingNo', type: 'string', required: true, meaning: 'Number of the thing.' },
      { name: 'limit', type: 'integer', required: false, meaning: 'Default 10.' },
    ],
  });
  expect(toolText(toolWith(plain))).not.toContain('params');
  const { params: _params, ...whole } = toolWith(narrow) as Record<string, unknown>;
  expect(JSON.parse(toolText(toolWith(narrow)))).toEqual(whole);
  const odd = toolWith(narrow, { params: [{ name: 'limit', required: true, schema: true, order: 0 }] });
  expect(JSON.parse(toolText(odd))).toEqual(odd);
});

it('says that a schema takes no other members, and saves a fifth of its JSON', () => {
  const text = withoutHead(toolText(toolWith(closed)));
  expect(decode(text)).toMatchObject({
    inputAdditionalProperties: false,
    inputSchema: [{}, {}, { name: 'filter', type: '{name?: string; [k: string]: never}' }],
  });
  expect(countTokens(text)).toBeLessThan(0.8 * countTokens(JSON.stringify(toolWith(closed))));
});

it('tells a catalog in the same way', () => {
  const catalog = {
    formatVersion: '1',
    skills: [{ name: 'Things', tools: [toolWith(narrow), toolWith(none)] }],
  };
  const text = catalogText(catalog);
  expect(countTokens(text)).toBeLessThan(countTokens(JSON.stringify(catalog)));
  expect(text).not.toContain('params');
  expect(text).toContain('maximum');
});
