import type { EndpointFacts } from '../formats/endpoint-facts.js';
import { attachOperations } from './attach-operations.js';
import type { EnrichingOperation } from '../formats/format.js';

const operation = (operationId: string, more: Partial<EnrichingOperation> = {}): EnrichingOperation => ({
  key: `shop/${operationId}`,
  operationId,
  ...{ isHttp: true, unfilled: [] },
  facts: { description: operationId },
  inherited: { tags: ['shop'] },
  ...more,
});
const known = [
  { endpoint: '/a@get', name: 'readA', sourceName: 'getA' },
  { endpoint: '/b@get', name: 'getB', sourceName: null },
  { endpoint: 'c@call', name: 'c', sourceName: 'c' },
];
const attach = (operations: EnrichingOperation[], more: object = {}, isSource = false) =>
  attachOperations({ operations, inherited: {}, wholeApi: true, ...more }, known, {
    apiVersionId: 'v1',
    isSource,
  });
const keyOf = (one: EnrichingOperation) => attach([one]).own[0]?.endpoint;

describe('operations find their endpoints', () => {
  it.each([
    ['by the key that they name', operation('x', { named: '/b@get', called: '/a@get' }), '/b@get'],
    ['by operation id', operation('getA', { called: '/b@get' }), '/a@get'],
    ['by method and path', operation('x', { called: '/b@get' }), '/b@get'],
    ['by tool name', operation('readA'), '/a@get'],
    ['not, and wait under the key that they name', operation('x', { named: '/z@get' }), '/z@get'],
    ['not, and stand under their own key', operation('x', { called: '/z@get' }), 'shop/x'],
  ])('%s', (_how, one, key) => {
    expect(keyOf(one)).toBe(key);
    expect(attach([one]).warnings).toHaveLength(_how.startsWith('not') ? 1 : 0);
  });

  it('unless they are the source themselves', () => {
    const { own, inherited, warnings } = attach([operation('getA', { named: '/a@get' })], {}, true);
    expect(own.map(({ endpoint }) => endpoint)).toEqual(['shop/getA']);
    expect(factsIn(inherited[0]?.facts)).toEqual({ tags: ['shop'] });
    expect(warnings).toEqual([]);
  });

  it('one for one', () => {
    const { own, warnings } = attach([operation('getA'), operation('x', { named: '/a@get' })]);
    expect(own).toHaveLength(1);
    expect(warnings).toMatchObject([{ code: 'operation_skipped' }]);
  });
});

it('finds its own kind where a gateway’s tool of the name stands beside the operation', () => {
  const both = [
    { endpoint: '/b@post', name: 'make', sourceName: 'make' },
    { endpoint: 'make@call', name: 'make_2', sourceName: 'make' },
  ];
  const found = (isHttp: boolean) =>
    attachOperations({ operations: [operation('make', { isHttp })], inherited: {}, wholeApi: false }, both, {
      apiVersionId: 'v1',
      isSource: false,
    }).own[0]?.endpoint;
  expect([found(true), found(false)]).toEqual(['/b@post', 'make@call']);
});

const factsIn = (text = '{}'): EndpointFacts => JSON.parse(text) as EndpointFacts;

describe('what holds of the API', () => {
  it('holds of every endpoint, in the words for the operation where there is one', () => {
    const { inherited } = attach([operation('getA')], { inherited: { tags: ['all'] } });
    expect(inherited.map(({ endpoint, facts }) => [endpoint, factsIn(facts).tags])).toEqual([
      ['/a@get', ['shop']],
      ['/b@get', ['all']],
      ['c@call', ['all']],
    ]);
    const few = attach([operation('getA')], { wholeApi: false });
    expect(few.inherited).toHaveLength(1);
  });

  it('refers to endpoints by their keys', () => {
    const dependencies = [{ endpoint: 'c' }, { endpoint: 'elsewhere' }];
    const routing = { fallbackEndpoint: 'getB2', dependencies };
    const { own } = attach([
      operation('getA', { facts: { routing } }),
      operation('getB2', { named: '/b@get' }),
    ]);
    expect(factsIn(own[0]?.facts).routing).toEqual({
      fallbackEndpoint: '/b@get',
      dependencies: [{ endpoint: 'c@call' }, { endpoint: 'elsewhere' }],
    });
  });
});
