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

  it('may be a reference where OpenAPI has none, and each is shown once', async () => {
    const components = { examples: { Quarter: { value: '2026-Q3' } } };
    const quarter = { $ref: '#/components/examples/Quarter' };
    const { property, codes } = await examplesOf({ schema, example: quarter }, components);
    expect(property).toEqual({ type: 'string', examples: ['2026-Q3'] });
    expect(codes).toEqual([]);
    const shown = [quarter, { $ref: '#/none' }];
    const within = await examplesOf({ schema: { ...schema, examples: shown } }, components);
    expect(within.property).toEqual({ type: 'string', examples: ['2026-Q3'] });
    expect(within.codes).toEqual(['broken_reference']);
    const twice = { one: { value: 'a' }, other: { value: 'a' }, third: { value: 'b' } };
    expect((await examplesOf({ schema, examples: twice })).property).toMatchObject({ examples: ['a', 'b'] });
  });
});

describe('examples of a body that is one argument', () => {
  const bodyOf = async (content: object, components: object = {}) => {
    const post = { requestBody: { content } };
    const document = { openapi: '3.1.0', paths: { '/reports': { post } }, components };
    const { endpoints } = await readFlat(document, { format: 'auto' });
    return (endpoints[0]?.inputSchema['properties'] as JsonObject)['body'];
  };
  const list = { type: 'array', items: schema };

  it('are those of its media type', async () => {
    const examples = { names: { $ref: '#/components/examples/Names' } };
    expect(
      await bodyOf(
        { 'application/json': { schema: list, examples } },
        { examples: { Names: { value: ['a'] } } },
      ),
    ).toEqual({ ...list, examples: [['a']] });
    expect(await bodyOf({ 'text/plain': { schema, example: 'a' } })).toEqual({ ...schema, examples: ['a'] });
  });

  it('are texts where the body is one, and none of bytes', async () => {
    expect(await bodyOf({ 'application/xml': { schema, example: { a: 1 } } })).not.toHaveProperty('examples');
    expect(await bodyOf({ 'application/xml': { schema, example: '<a/>' } })).toMatchObject({
      examples: ['<a/>'],
    });
    expect(await bodyOf({ 'image/png': { schema, example: 'a' } })).not.toHaveProperty('examples');
  });

  it('give way to those of its schema', async () => {
    const said = { ...list, examples: [['b']] };
    expect(await bodyOf({ 'application/json': { schema: said, example: ['a'] } })).toEqual(said);
  });
});
