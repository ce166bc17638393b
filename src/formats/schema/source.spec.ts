import type { JsonObject } from '../../documents/json.js';
import { readFlat } from '../../../test/flat-endpoints.js';

const toolOf = async (inputSchema: object) => {
  const { endpoints, warnings } = await readFlat({ tools: [{ name: 'a', inputSchema }] }, { format: 'mcp' });
  return { schema: endpoints[0]?.inputSchema ?? {}, codes: warnings.map(({ code }) => code) };
};
const long = { description: 'long '.repeat(200) };

describe('references in a schema that has an $id', () => {
  it('lead to schemas by their $id, and from there to what stands beneath it', async () => {
    const { schema, codes } = await toolOf({
      $id: 'https://example.com/schemas/root.json',
      type: 'object',
      properties: {
        byName: { $ref: 'order.json' },
        byAddress: { $ref: 'https://example.com/schemas/order.json#/properties/line' },
        byAnchor: { $ref: 'order.json#Line' },
        own: { $ref: 'root.json#/$defs/Plain' },
      },
      $defs: {
        Plain: { type: 'integer' },
        Order: {
          $id: 'order.json',
          type: 'object',
          properties: { line: { $ref: '#/$defs/Line' } },
          $defs: { Line: { $anchor: 'Line', type: 'object', required: ['sku'], ...long } },
        },
      },
    });
    const definitions = Object.entries(schema['$defs'] as JsonObject);
    const line = definitions.find(([name]) => name.startsWith('Line'));
    expect(line?.[1]).toEqual({ type: 'object', required: ['sku'], ...long });
    const reference = { $ref: `#/$defs/${line?.[0] ?? ''}` };
    expect(schema['properties']).toMatchObject({
      byName: { $ref: '#/$defs/Order' },
      byAddress: reference,
      byAnchor: reference,
      own: { type: 'integer' },
    });
    expect(codes).toEqual([]);
  });

  it('that nothing has stay out of the document, and data is no schema', async () => {
    const { schema, codes } = await toolOf({
      type: 'object',
      properties: {
        a: { $ref: 'https://example.com/elsewhere.json' },
        b: { default: { $id: 'https://example.com/elsewhere.json', type: 'integer' } },
      },
    });
    expect(schema['properties']).toMatchObject({ a: {} });
    expect(codes).toEqual(['external_reference']);
  });

  it('are followed in an OpenAPI document, whose own address is $self', async () => {
    const schemas = {
      Order: {
        $id: 'https://example.com/order',
        type: 'object',
        properties: { value: { $ref: '#/$defs/Line' } },
        $defs: { Line: { type: 'object', properties: { sku: { $ref: 'api#/components/schemas/Sku' } } } },
      },
      Sku: { type: 'string', pattern: '^[A-Z]+$' },
    };
    const content = { 'application/json': { schema: { $ref: 'https://example.com/order' } } };
    const { endpoints, warnings } = await readFlat(
      {
        openapi: '3.2.0',
        $self: 'https://example.com/api',
        paths: { '/orders': { post: { requestBody: { required: true, content } } } },
        components: { schemas },
      },
      { format: 'auto' },
    );
    expect(JSON.stringify(endpoints[0]?.inputSchema)).toContain('"pattern":"^[A-Z]+$"');
    expect(warnings).toEqual([]);
  });
});
