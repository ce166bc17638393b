import { readFlat } from '../../../test/flat-endpoints.js';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const operation = { operationId: 'getThing', summary: 'Get a thing', parameters: [id] };
const withGet = (get: object, rest: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/things/{id}': { get, delete: { operationId: 'dropThing', parameters: [id] } } },
  ...rest,
});
const read = async (document: object) => {
  const { endpoints, warnings } = await readFlat(document, { format: 'auto' });
  return { endpoints, codes: warnings.map(({ code }) => code) };
};
const whole = {
  key: '/things/{id}@get',
  sourceName: 'getThing',
  title: 'Get a thing',
  inputSchema: { properties: { id: { type: 'integer' } }, required: ['id'] },
};

describe('an operation by reference', () => {
  it('is whole where it stands elsewhere in the document', async () => {
    const $ref = '#/x-operations/getThing';
    const { endpoints, codes } = await read(withGet({ $ref }, { 'x-operations': { getThing: operation } }));
    expect(endpoints.find(({ method }) => method === 'get')).toMatchObject(whole);
    expect(codes).toEqual([]);
  });

  it.each([
    ['a file of its own', 'ops/get.json', operation],
    [
      'a part of a file',
      'ops/all.json#/get',
      { get: { $ref: '#/one' }, one: { ...operation, parameters: [{ $ref: '#/id' }] }, id },
    ],
  ])('is whole where it is %s', async (_, $ref, file) => {
    const [path = ''] = $ref.split('#');
    const files = { 'api.json': JSON.stringify(withGet({ $ref })), [path]: JSON.stringify(file) };
    const { endpoints, codes } = await read({ files, main: 'api.json' });
    expect(endpoints.find(({ method }) => method === 'get')).toMatchObject(whole);
    expect(codes).toEqual([]);
  });

  it.each([
    ['#/x-operations/none', 'broken_reference'],
    ['other.yaml#/get', 'external_reference'],
  ])('is left out with a warning where %s leads to none', async ($ref, code) => {
    const { endpoints, codes } = await read(withGet({ $ref }));
    expect(endpoints.map(({ key }) => key)).toEqual(['/things/{id}@delete']);
    expect(codes).toEqual([code]);
  });
});
