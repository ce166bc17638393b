import { eachServer } from './server.js';

interface Facets {
  readonly total: number;
  readonly facets: Readonly<
    Record<string, { values: readonly { value: string; count: number }[]; more: boolean }>
  >;
}

const operation = (operationId: string, tags: readonly string[]) => ({
  ...{ operationId, tags, summary: operationId, responses: { '200': { description: 'fine' } } },
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: operation('listOrders', ['orders', 'public']),
      post: operation('placeOrder', ['orders']),
    },
    '/refunds': { get: operation('listRefunds', ['refunds']) },
    ...Object.fromEntries(
      Array.from({ length: 51 }, (_, number) => [
        `/many/${String(number)}`,
        { put: operation(`many${String(number)}`, [`t${String(number)}`]) },
      ]),
    ),
  },
};

eachServer((server) => {
  const counted = async (query: string, token?: string): Promise<Facets> => {
    const more = token === undefined ? {} : { token };
    const { body, status } = await server().api<Facets>('GET', `/endpoints/facets${query}`, more);
    expect(status).toBe(200);
    return body;
  };
  /** Values with their counts, as `get 2`. */
  const values = ({ facets }: Facets, name: string) =>
    facets[name]?.values.map(({ value, count }) => `${value} ${String(count)}`);

  beforeAll(async () => {
    const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
    const { status } = await server().api('POST', '/imports', {
      body: { api: { apiId: 'shop' }, version, document },
    });
    expect(status).toBeLessThan(300);
    const { body } = await server().api<{ items: { endpointId: string }[] }>(
      'GET',
      '/endpoints?apiId=shop&tag=refunds',
    );
    const refunds = `/endpoints/${body.items[0]?.endpointId ?? ''}`;
    const routing = { sensitivityTier: 'restricted', domain: 'shop.refunds' };
    expect((await server().api('PATCH', refunds, { body: { routing } })).status).toBe(200);
  });

  describe('facets of endpoints', () => {
    it('count all that there are, a facet aside from its own filter', async () => {
      const all = await counted('?apiId=shop');
      expect(all.total).toBe(54);
      expect(values(all, 'method')).toEqual(['put 51', 'get 2', 'post 1']);
      expect(values(all, 'sourceProtocol')).toEqual(['openapi 54']);
      expect(values(all, 'active')).toEqual(['true 54']);
      expect(values(all, 'domain')).toContain('shop.refunds 1');
      const read = await counted('?apiId=shop&method=get');
      expect(read.total).toBe(2);
      expect(values(read, 'method')).toEqual(['put 51', 'get 2', 'post 1']);
      expect(values(read, 'tag')).toEqual(['orders 1', 'public 1', 'refunds 1']);
    });

    it('count what choosing the value then shows', async () => {
      const { facets } = await counted('?apiId=shop&q=s');
      for (const name of ['method', 'sensitivityTier', 'domain', 'tag', 'apiVersionId'])
        for (const { value, count } of facets[name]?.values.slice(0, 3) ?? []) {
          const chosen = `/endpoints?apiId=shop&q=s&limit=100&${name}=${value}`;
          const { body } = await server().api<{ items: readonly unknown[] }>('GET', chosen);
          expect([name, value, body.items.length]).toEqual([name, value, count]);
        }
    });

    it('hold 50 values at most, and say that there are more', async () => {
      const { facets } = await counted('?apiId=shop');
      expect([facets['tag']?.values.length, facets['tag']?.more]).toEqual([50, true]);
      expect(facets['method']?.more).toBe(false);
    });

    it('tell nothing of what the token does not cover', async () => {
      const low = await server().token({
        scope: 'catalog:read',
        sid: 'accounts',
        maxSensitivityTier: 'internal',
      });
      const seen = await counted('?apiId=shop&method=get', low);
      expect(seen.total).toBe(1);
      expect(values(seen, 'sensitivityTier')).toEqual(['internal 1']);
      expect(values(seen, 'tag')).toEqual(['orders 1', 'public 1']);
      expect(values(seen, 'domain')).toEqual(['orders 1']);
      const other = await server().token({ scope: 'catalog:read', sid: 'else' });
      expect(await counted('?apiId=shop', other)).toMatchObject({
        total: 0,
        facets: { apiId: { values: [] } },
      });
    });

    it('refuse what no filter is called', async () => {
      expect((await server().api('GET', '/endpoints/facets?colour=red')).status).toBe(400);
    });
  });
});
