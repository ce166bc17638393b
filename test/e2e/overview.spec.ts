import { v7 } from 'uuid';
import { eachServer } from './server.js';

interface Overview {
  readonly counts: Readonly<Record<string, number>>;
  readonly begun: { readonly inactiveSkill: unknown; readonly agent: unknown };
  readonly waiting: Readonly<Record<string, { readonly items: readonly object[]; readonly more: boolean }>>;
}

const document = (type: string) => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        summary: 'Lists orders',
        parameters: [{ name: 'day', in: 'query', required: true, schema: { type } }],
        responses: { '200': { description: 'Orders' } },
      },
    },
  },
});

eachServer((server) => {
  it('tells in one answer what there is, what waits, and what was begun, each within the token', async () => {
    const host = v7();
    const envTag = 'overview';
    const token = await server().token({ host, env: envTag });
    const api = <Body>(method: string, path: string, body?: object, as = token) =>
      server().api<Body>(method, `//v1/hosts/${host}${path}`, { token: as, ...(body && { body }) });
    const overview = async (as = token) =>
      (await api<Overview>('GET', '/diagnostics/overview', undefined, as)).body;
    expect((await overview()).counts).toEqual({
      ...{ apis: 0, endpoints: 0, tools: 0, skills: 0, agents: 0, gateways: 0, assignments: 0, exposures: 0 },
    });
    const bring = (type: string) =>
      api('POST', '/imports', {
        ...{ api: { apiId: 'orders' }, version: { serviceId: 'orders', envTag } },
        ...{ publish: true, document: document(type) },
      });
    expect((await bring('string')).status).toBe(200);
    const made = await api<{ id: string }>('POST', '/skills', { name: 'orders', contentMarkdown: 'Do.' });
    await api('POST', `/skills/${made.body.id}/deactivate`);
    expect(await overview()).toMatchObject({
      counts: { apis: 1, endpoints: 1, tools: 1, skills: 0 },
      begun: { inactiveSkill: { name: 'orders' }, agent: null },
      waiting: { reviews: { items: [], more: false }, changedTools: { items: [], more: false } },
    });
    expect((await bring('integer')).status).toBe(200);
    const { waiting } = await overview();
    expect(waiting['reviews']).toMatchObject({ items: [{ name: 'listOrders' }], more: false });
    // It is in review, and so not said a second time.
    expect(waiting['changedTools']).toEqual({ items: [], more: false });
    const reader = await server().token({ host, env: envTag, scope: 'catalog:read catalog:all-services' });
    expect(Object.keys((await overview(reader)).waiting).sort()).toEqual([
      'changedTools',
      'conflicts',
      'evaluations',
      'reviews',
    ]);
    const elsewhere = await server().token({ host, env: 'another' });
    expect(await overview(elsewhere)).toMatchObject({
      counts: { tools: 0, apis: 0 },
      waiting: { reviews: { items: [] } },
    });
  });

  it('says what a description is, and refuses what is none', async () => {
    const read = (body: object) => server().api('POST', '/imports/read', { body });
    expect(await read({ document: document('string') })).toMatchObject({
      status: 200,
      body: { format: 'openapi', title: 'Orders', version: '1.0.0', operations: 1, warnings: 0 },
    });
    expect((await read({ document: 'Dear reader' })).status).toBe(400);
    expect((await read({})).status).toBe(400);
  });
});
