import { readFlat } from '../../../test/flat-endpoints.js';
import { compile } from '../../../test/import-laws.js';
import { isObject, type JsonObject } from '../../documents/json.js';

const components = {
  schemas: {
    Category: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    Tag: { type: 'object', required: ['tag'], properties: { tag: { type: 'string' } } },
  },
};
const category = { $ref: '#/components/schemas/Category' };
const tag = { $ref: '#/components/schemas/Tag' };

/** The property `value` of a body that must have it. */
async function valueOf(value: object): Promise<{ schema: JsonObject; accepts: (value: unknown) => boolean }> {
  const schema = { type: 'object', required: ['value'], properties: { value } };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const document = { openapi: '3.0.3', paths: { '/items': { post: { requestBody } } }, components };
  const { endpoints, warnings } = await readFlat(document, { format: 'auto' });
  expect(warnings).toEqual([]);
  const inputSchema = endpoints[0]?.inputSchema ?? {};
  const accepts = compile(inputSchema);
  const found = (inputSchema['properties'] as JsonObject)['value'];
  return { schema: isObject(found) ? found : {}, accepts: (given) => accepts({ value: given }) };
}

describe('null beside a schema that is composed of others', () => {
  it.each([
    ['oneOf', { nullable: true, oneOf: [category] }],
    ['x-nullable', { 'x-nullable': true, oneOf: [category] }],
    ['anyOf', { nullable: true, anyOf: [category, tag] }],
    ['allOf', { nullable: true, allOf: [category] }],
    ['a type and oneOf', { type: 'object', nullable: true, oneOf: [category, tag] }],
    ['a type and allOf', { type: 'object', nullable: true, allOf: [category] }],
    [
      'several of them',
      { nullable: true, allOf: [category], oneOf: [{ type: 'object' }, { type: 'array' }] },
    ],
  ])('is possible with %s', async (_, schema) => {
    const { accepts } = await valueOf(schema);
    expect([null, { id: 1 }, { id: 'x' }, 'text'].map(accepts)).toEqual([true, true, false, false]);
  });

  it('is one alternative more of those that there are', async () => {
    const { schema } = await valueOf({ nullable: true, anyOf: [{ type: 'integer' }, { type: 'string' }] });
    expect(schema).toEqual({ anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] });
  });

  it('is not added to alternatives of which one is null', async () => {
    const { schema } = await valueOf({
      nullable: true,
      oneOf: [{ type: 'integer' }, { type: 'string', nullable: true }],
    });
    expect(schema).toEqual({ anyOf: [{ type: 'integer' }, { type: ['string', 'null'] }] });
  });

  it('leaves words and default beside the alternatives', async () => {
    const words = { description: 'What it is.', default: null };
    const { schema } = await valueOf({ ...words, type: 'object', nullable: true, allOf: [category] });
    expect(schema).toMatchObject({ ...words, anyOf: [{ type: 'object' }, { type: 'null' }] });
  });
});
