import { documentOf, reviewWorld } from './review-world.js';
import { eachServer } from './server.js';

eachServer((server) => {
  const { api, published, rename } = reviewWorld(server);

  describe('an export', () => {
    interface Exported {
      readonly operations: Record<string, { description?: string; metadata: { portalEndpoint: string } }>;
      readonly info: object;
    }
    const exported = async (apiVersionId: string) => {
      const { status, body } = await api<Exported>(
        'GET',
        `/api-versions/${apiVersionId}/export?format=lightapi`,
      );
      expect(status).toBe(200);
      return body;
    };
    const end = async () => (await api<{ items: { position: number }[] }>('GET', '/events?limit=500')).body;
    const bring = async (apiVersionId: string, document: object) => {
      const report = await api('POST', `/api-versions/${apiVersionId}/imports`, {
        document,
      });
      expect([report.status, report.body['warnings']]).toEqual([200, []]);
      return report.body;
    };

    it('comes back without a trace; what somebody has altered in it speaks', async () => {
      const { apiId, apiVersionId, first } = await published();
      const routing = { domain: 'finance', targetPersonas: ['teller'], sensitivityTier: 'confidential' };
      await api('PATCH', `/endpoints/${first}`, { description: 'Mine.', routing });
      const document = await exported(apiVersionId);
      expect(document).toMatchObject({
        lightapi: '0.1.0',
        operations: { [`list_${apiId}`]: { description: 'Mine.' } },
      });
      const before = await end();
      expect(await bring(apiVersionId, document)).toMatchObject({
        total: 2,
        unchanged: 2,
        changed: 0,
        items: [{}, {}],
      });
      expect(await end()).toEqual(before);
      const [name = ''] = Object.keys(document.operations).filter((key) => key.startsWith('close'));
      const altered = { ...document.operations[name], description: 'Closes them all.' };
      const operations = { ...document.operations, [name]: altered };
      expect(await bring(apiVersionId, { ...document, operations })).toMatchObject({
        unchanged: 1,
        changed: 1,
      });
    });

    it('makes an API of its own elsewhere, whose export comes back without a trace as well', async () => {
      const { apiId, apiVersionId } = await published();
      const document = await exported(apiVersionId);
      const version = { apiVersion: '1', apiType: 'lightapi', serviceId: 'accounts', envTag: 'dev' };
      const body = { api: { apiId: `${apiId}-copy` }, version, document };
      const made = await api<{ apiVersionId: string; added: number }>('POST', '/imports', body);
      expect(made.body).toMatchObject({ added: 2 });
      const copy = await exported(made.body.apiVersionId);
      const before = await end();
      expect(await bring(made.body.apiVersionId, copy)).toMatchObject({ total: 2, unchanged: 2 });
      expect(await end()).toEqual(before);
    });

    it('is not for narrowed or foreign tokens, and needs endpoints and a format', async () => {
      const { apiId, apiVersionId } = await published();
      const tried = async (claims: object, id = apiVersionId) =>
        (
          await api(
            'GET',
            `/api-versions/${id}/export?format=lightapi`,
            undefined,
            await server().token({ sid: 'accounts', scope: 'catalog:read', ...claims }),
          )
        ).status;
      expect(await tried({})).toBe(200);
      expect(await tried({ maxSensitivityTier: 'internal' })).toBe(403);
      expect(await tried({ sid: 'payments' })).toBe(404);
      expect((await api('GET', `/api-versions/${apiVersionId}/export`)).status).toBe(400);
      const empty = { apiVersion: '2', apiType: 'openapi', serviceId: 'accounts', envTag: 'dev' };
      const { body } = await api<{ id: string }>('POST', `/apis/${apiId}/versions`, empty);
      expect(await tried({}, body.id)).toBe(409);
    });
  });

  describe('a narrowed token', () => {
    const narrow = (claims: object = {}) =>
      server().token({ sid: 'accounts', scope: 'catalog:read', maxSensitivityTier: 'internal', ...claims });

    it('reads no document, and no names of other endpoints', async () => {
      const { apiVersionId, first, tool } = await published();
      const routing = { dependencies: [{ endpoint: '/secret@get' }], fallbackEndpoint: '/other@get' };
      await api('PATCH', `/endpoints/${first}`, { routing });
      const token = await narrow();
      const refused = await api('GET', `/api-versions/${apiVersionId}?spec=true`, undefined, token);
      expect([refused.status, refused.body['code']]).toEqual([403, 'confined_token']);
      for (const path of [`/endpoints/${first}`, `/tools/${tool}`]) {
        const open = JSON.stringify((await api('GET', path)).body);
        const cut = await api('GET', path, undefined, token);
        expect(open).toContain('/secret@get');
        expect(cut.status).toBe(200);
        expect(JSON.stringify(cut.body)).not.toMatch(/secret|other@get/);
      }
    });

    it('reads those names of other endpoints that stand for what it may see', async () => {
      const { apiId, apiVersionId, first, second, tool } = await published();
      const operation = {
        ...{ endpointId: `a/${apiId}`, protocol: 'http', operationId: `list_${apiId}`, source: 'api' },
        ...{
          description: 'Lists.',
          agent: { skill: { relatedOperations: ['/secret@get', '/accounts@delete'] } },
        },
        metadata: {
          portalEndpoint: '/accounts@get',
          routing: { dependencies: [{ endpoint: '/hidden@get' }], fallbackEndpoint: '/secret@get' },
        },
      };
      const document = {
        ...{ lightapi: '0.1.0', sources: { api: { type: 'openapi', version: '1' } } },
        ...{ info: { title: 'A', namespace: 'a', version: '1' }, operations: { list: operation } },
      };
      const into = `/api-versions/${apiVersionId}/imports`;
      expect((await api('POST', into, { document })).status).toBe(200);
      await api('PATCH', `/endpoints/${first}`, { routing: { fallbackEndpoint: '/accounts@delete' } });
      const token = await narrow();
      const seen = async (path: string) => {
        const { body } = await api<{ toolMetadata: { routing: object } }>('GET', path, undefined, token);
        expect(JSON.stringify(body)).not.toMatch(/secret|hidden/);
        return body.toolMetadata.routing;
      };
      const other = { endpoint: '/accounts@delete', relation: 'related' };
      for (const path of [`/endpoints/${first}`, `/tools/${tool}`])
        expect(await seen(path)).toMatchObject({ dependencies: [other], fallbackEndpoint: other.endpoint });
      const command = await server().api<{ routingMetadata: object }>('POST', '/agent/commands/get_tool', {
        token,
        body: { toolId: tool },
      });
      expect(command.body.routingMetadata).toMatchObject({ dependencies: [other] });
      // Endpoints of other versions have the same key, and are not what is meant.
      await api('PATCH', `/endpoints/${second}`, { routing: { sensitivityTier: 'restricted' } });
      for (const path of [`/endpoints/${first}`, `/tools/${tool}`]) {
        const routing = await seen(path);
        expect(routing).toMatchObject({ dependencies: [] });
        expect(routing).not.toHaveProperty('fallbackEndpoint');
      }
    });

    it('with a tier that is none is refused', async () => {
      const token = await narrow({ maxSensitivityTier: 'secret' });
      expect((await api('GET', '/endpoints', undefined, token)).status).toBe(403);
      expect((await api('GET', '/endpoints?sensitivityTier=Internal')).status).toBe(400);
    });
  });

  it('tells nothing of whose version it is that another service asks for', async () => {
    const { apiId } = await published();
    const token = await server().token({ sid: 'payments', scope: 'catalog:write' });
    const version = { apiVersion: '1', serviceId: 'payments', envTag: 'dev' };
    const body = { api: { apiId }, version, document: rename(documentOf({}), `${apiId}-x`) };
    const answer = await server().api<{ code: string }>('POST', '/imports', { token, body });
    expect([answer.status, answer.body.code]).toEqual([409, 'api_version_mismatch']);
    expect(answer.text).not.toMatch(/accounts"|listAccounts/);
  });

  it('a publication that finds nothing answers where the log stands', async () => {
    const { apiId } = await published();
    const [event] = (await api<{ items: { position: number }[] }>('GET', '/events?limit=1')).body.items;
    const filter = { apiId, q: 'nothing like it' };
    const { body } = await api<{ position: number }>('POST', '/tools/publish', { filter });
    expect(body).toMatchObject({ published: 0, unchanged: 0, items: [] });
    expect(body.position).toBeGreaterThan(event?.position ?? 0);
    await api('PATCH', `/apis/${apiId}`, { apiDesc: 'Once more.' });
    expect((await api('POST', '/tools/publish', { filter })).body).toMatchObject({
      position: body.position + 1,
    });
  });

  it('a tool without an endpoint has one implementation at most', async () => {
    const both = { scriptContent: 'pass', implementationClass: 'a.B' };
    const script = { name: 'lonely', description: 'Does it.', implementationType: 'python', ...both };
    const answer = await api('POST', '/tools', { ...script, inputSchema: { type: 'object' } });
    expect([answer.status, answer.body['code']]).toEqual([400, 'invalid_body']);
  });

  it('a script keeps no secret', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const made = await api<{ id: string }>('POST', '/tools', {
      ...{ name: 'talkative', description: 'Does it.', implementationType: 'python' },
      ...{ scriptContent: `token = "${token}"\nrun(token)`, inputSchema: { type: 'object' } },
    });
    expect(made.body).toMatchObject({ warnings: [{ code: 'secret_redacted', pointer: '/scriptContent' }] });
    const tool = await api('GET', `/tools/${made.body.id}`);
    expect(tool.body['scriptContent']).toBe('token = "[redacted:github]"\nrun(token)');
  });
});
