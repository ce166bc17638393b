import { readFlat } from '../../../test/flat-endpoints.js';
import type { JsonObject } from '../../documents/json.js';

const state = {
  type: 'integer',
  enum: [1, 2, 3],
  'x-enum-varnames': ['ACTIVE', 'CLOSED', '3'],
  'x-enum-descriptions': ['In use.', ' ', 'Third.'],
};
const words = 'Values: 1: ACTIVE (In use.); 2: CLOSED; 3: Third.';
const reference = { $ref: '#/components/schemas/State' };

/** The parameter `p` of `GET /a`. */
async function parameterOf(parameter: object): Promise<JsonObject> {
  const parameters = [{ name: 'p', in: 'query', ...parameter }];
  const components = { schemas: { State: state } };
  const document = { openapi: '3.1.0', paths: { '/a': { get: { parameters } } }, components };
  const { endpoints } = await readFlat(document, { format: 'auto' });
  return (endpoints[0]?.inputSchema['properties'] as JsonObject)['p'] as JsonObject;
}

describe('what an author says of the values of an enum', () => {
  it.each([
    ['where there is no other', { schema: state }, words],
    ['after that of the schema', { schema: { ...state, description: 'S.' } }, `S.\n\n${words}`],
    ['after that of the parameter', { description: 'P.', schema: state }, `P.\n\n${words}`],
    ['after that beside a reference', { schema: { ...reference, description: 'R.' } }, `R.\n\n${words}`],
    [
      'after that of a parameter with a reference',
      { description: 'P.', schema: reference },
      `P.\n\n${words}`,
    ],
  ])('is in the description, %s', async (_, parameter, description) => {
    expect(await parameterOf(parameter)).toEqual({ type: 'integer', enum: [1, 2, 3], description });
  });

  it('may be a map by value', async () => {
    const schema = { type: 'string', enum: ['a', 'b'], 'x-enumDescriptions': { b: 'The b.' } };
    expect(await parameterOf({ schema })).toMatchObject({ description: 'Values: b: The b.' });
  });

  it('is left out where it says what the values say, or is longer than anyone reads', async () => {
    const schema = { type: 'string', enum: ['in_use', 'gone'], 'x-enumNames': ['InUse', 'Gone'] };
    expect(await parameterOf({ schema })).not.toHaveProperty('description');
    const long = { type: 'integer', enum: [1], 'x-enum-descriptions': ['long '.repeat(1_000)] };
    expect(await parameterOf({ schema: long })).not.toHaveProperty('description');
  });

  it('is in the description of a parameter of OpenAPI 2.0, too', async () => {
    const items = { name: 'q', in: 'query', type: 'array', items: state };
    const parameters = [{ name: 'p', in: 'query', ...state }, items];
    const { endpoints } = await readFlat(
      { swagger: '2.0', paths: { '/a': { get: { parameters } } } },
      { format: 'auto' },
    );
    expect(endpoints[0]?.inputSchema['properties']).toMatchObject({
      p: { description: words },
      q: { items: { description: words } },
    });
  });

  it('is in the description of an argument of an MCP server, too', async () => {
    const inputSchema = { type: 'object', properties: { state } };
    const { endpoints } = await readFlat({ tools: [{ name: 'a', inputSchema }] }, { format: 'mcp' });
    expect(endpoints[0]?.inputSchema['properties']).toMatchObject({ state: { description: words } });
  });
});
