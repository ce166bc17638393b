import { readFlat } from '../../../test/flat-endpoints.js';
import type { JsonObject } from '../../documents/json.js';

/** The examples of the parameter `p` of `GET /reports`, and the codes of the warnings. */
async function examplesOf(parameter: object, components: object = {}) {
  const parameters = [{ name: 'p', in: 'query', ...parameter }];
  const document = { openapi: '3.2.0', paths: { '/reports': { get: { parameters } } }, components };
  const { endpoints, warnings } = await readFlat(document, { format: 'auto' });
  const properties = endpoints[0]?.inputSchema['properties'] as JsonObject;
  return { property: properties['p'] as JsonObject, codes: warnings.map(({ code }) => code) };
}

const schema = { type: 'string' };
const state = { type: 'object', properties: { state: { type: 'string' } } };

describe('examples of a parameter', () => {
  it('may be given by reference', async () => {
    const examples = { quarter: { $ref: '#/components/examples/Quarter' }, other: { value: '2026-Q1' } };
    const { property, codes } = await examplesOf(
      { schema, examples },
      { examples: { Quarter: { $ref: '#/components/examples/Third' }, Third: { value: '2026-Q3' } } },
    );
    expect(property).toEqual({ type: 'string', examples: ['2026-Q1', '2026-Q3'] });
    expect(codes).toEqual([]);
  });

  it.each([
    ['#/components/examples/None', 'broken_reference'],
    ['examples.yaml#/Quarter', 'external_reference'],
  ])('are left out with a warning where %s leads nowhere', async ($ref, code) => {
    const { property, codes } = await examplesOf({ schema, examples: { quarter: { $ref } } });
    expect(property).toEqual({ type: 'string' });
    expect(codes).toEqual([code]);
  });

  it('may stand within its content', async () => {
    const named = { schema: state, examples: { simple: { value: { state: 'open' } } } };
    const { property } = await examplesOf({ content: { 'application/json': named } });
    expect(property).toMatchObject({ examples: [{ state: 'open' }] });
    const one = { schema: { type: 'array', items: schema }, example: ['name'] };
    expect((await examplesOf({ content: { 'application/json': one } })).property).toMatchObject({
      examples: [['name']],
    });
    const { property: shared } = await examplesOf(
      { content: { 'application/json': { $ref: '#/components/mediaTypes/State' } } },
      { mediaTypes: { State: named } },
    );
    expect(shared).toMatchObject({ ...state, examples: [{ state: 'open' }] });
  });

  it('may be data apart from its serialized form', async () => {
    const german = { dataValue: 'de', serializedValue: 'lang=de' };
    expect((await examplesOf({ schema, examples: { german } })).property).toEqual({
      type: 'string',
      examples: ['de'],
    });
    expect((await examplesOf({ schema, examples: { none: { serializedValue: 'p=x' } } })).property).toEqual(
      schema,
    );
  });
});
