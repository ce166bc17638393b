import { globalHostId } from '../../src/taxonomy/term.fields.js';
import { eachServer, hostId, type ApiCall, type Server } from './server.js';

interface Receipt {
  readonly id: string;
  readonly version: number;
  readonly changed: boolean;
}
interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string }[];
}
interface Listed {
  readonly items: readonly Record<string, unknown>[];
}

let count = 0;
const fresh = (word: string): string => `${word}-${String((count += 1))}`;

async function made(server: Server, path: string, body: object): Promise<string> {
  const answer = await server.api<Receipt>('POST', path, { body });
  expect([path, answer.status, answer.text]).toEqual([path, 201, expect.any(String)]);
  return answer.body.id;
}

eachServer((server) => {
  const tag = (tagName: string, entityType = 'skill') => made(server(), '/tags', { entityType, tagName });
  const category = (categoryName: string, more: object = {}) =>
    made(server(), '/categories', { entityType: 'skill', categoryName, ...more });
  const skill = (more: object = {}) =>
    made(server(), '/skills', { name: fresh('Skill'), contentMarkdown: 'Do.', ...more });
  const tryIt = async (method: string, path: string, call: ApiCall = {}) => {
    const { status, body } = await server().api<Problem>(method, path, call);
    return [status, body.code, ...(body.errors ?? []).map(({ pointer }) => pointer)];
  };

  it('makes, reads, lists, changes and deletes categories', async () => {
    const [care, desk] = [fresh('care'), fresh('desk')];
    const parent = await category(care, { categoryDesc: 'Help desk.' });
    const child = await category(desk, { parentCategoryId: parent });
    const read = await server().api('GET', `/categories/${child}`);
    expect([read.headers.get('etag'), read.body]).toMatchObject([
      '"1"',
      { categoryId: child, hostId, categoryName: desk, parentCategoryId: parent, categoryDesc: null },
    ]);
    const below = await server().api<Listed>('GET', `/categories?parentCategoryId=${parent}`);
    expect(below.body.items.map(({ categoryId }) => categoryId)).toEqual([child]);
    const path = `/categories/${parent}`;
    expect(await tryIt('PATCH', path, { body: { parentCategoryId: child } })).toEqual([
      409,
      'category_cycle',
      '/parentCategoryId',
    ]);
    expect(await tryIt('DELETE', path)).toEqual([409, 'category_has_children']);
    const stale = { body: { categoryDesc: null }, headers: { 'if-match': '"7"' } };
    expect(await tryIt('PATCH', path, stale)).toEqual([412, 'version_conflict']);
    expect(await tryIt('PATCH', `/categories/${child}`, { body: { parentCategoryId: null } })).toEqual([
      200,
      undefined,
    ]);
    expect(await tryIt('DELETE', path)).toEqual([200, undefined]);
    expect(await tryIt('DELETE', path)).toEqual([404, 'not_found']);
    expect((await server().api('GET', path)).status).toBe(404);
    const left = await server().api<Listed>('GET', `/categories?categoryName=${care}`);
    expect(left.body.items).toEqual([]);
  });

  it('refuses names that do not fit, and names that are taken, each kind of thing having its own', async () => {
    const name = fresh('accounts');
    await tag(name);
    await tag(name, 'tool');
    const again = { body: { entityType: 'skill', tagName: name } };
    expect(await tryIt('POST', '/tags', again)).toEqual([409, 'tag_name_taken', '/tagName']);
    const odd = { body: { entityType: 'agent', tagName: 'No blanks', tagDesc: '' } };
    const [status, , ...pointers] = await tryIt('POST', '/tags', odd);
    expect([status, pointers.sort()]).toEqual([400, ['/entityType', '/tagDesc', '/tagName']]);
    const other = await tag(fresh('other'));
    expect(await tryIt('PATCH', `/tags/${other}`, { body: { tagName: name } })).toEqual([
      409,
      'tag_name_taken',
      '/tagName',
    ]);
  });

  it('saves a skill with its taxonomy, replaces it, and finds skills by it', async () => {
    const [care, accounts, bills] = [fresh('care'), fresh('accounts'), fresh('bills')];
    const [categoryId, a, b] = [await category(care), await tag(accounts), await tag(bills)];
    const id = await skill({ categoryIds: [categoryId], tagIds: [b, a] });
    expect((await server().api('GET', `/skills/${id}`)).body).toMatchObject({
      categories: [care],
      tags: [accounts, bills],
    });
    const kept = { body: { version: '1.1.0', tagIds: [b] } };
    expect((await server().api('PATCH', `/skills/${id}`, kept)).body).toMatchObject({ id, version: 2 });
    const read = await server().api('GET', `/skills/${id}/taxonomy`);
    expect(read.body).toMatchObject({
      entityType: 'skill',
      entityId: id,
      categories: [{ categoryId, categoryName: care }],
      tags: [{ tagId: b, tagName: bills }],
      aggregateVersion: 2,
    });
    for (const [query, ids] of [
      [`tag=${bills}`, [id]],
      [`category=${care}`, [id]],
      [`tag=${accounts}`, []],
      [`tag=${bills}&category=${bills}`, []],
    ] as const) {
      const { items } = (await server().api<Listed>('GET', `/skills?${query}`)).body;
      expect([query, items.map(({ skillId }) => skillId)]).toEqual([query, ids]);
    }
    const path = `/skills/${id}/taxonomy`;
    const replaced = await server().api<Receipt>('PUT', path, {
      body: { tagIds: [a] },
      headers: { 'if-match': String(read.headers.get('etag')) },
    });
    expect(replaced.body).toMatchObject({ id: read.body['id'], version: 3, changed: true });
    expect((await server().api('GET', `/skills/${id}`)).body).toMatchObject({
      categories: [],
      tags: [accounts],
    });
    expect((await server().api<Receipt>('PUT', path, { body: { tagIds: [a] } })).body).toMatchObject({
      version: 3,
      changed: false,
    });
    const unknown = { body: { tagIds: [a, categoryId] } };
    expect(await tryIt('PUT', path, unknown)).toEqual([409, 'tag_not_found', '/tagIds/1']);
    expect(await tryIt('PUT', path, { body: { tagIds: [a, a] } })).toEqual([400, 'invalid_body', '/tagIds']);
    expect(await tryIt('PUT', `/skills/${categoryId}/taxonomy`, { body: {} })).toEqual([404, 'not_found']);
  });

  it('classifies tools and endpoints, each with its own tags, and leaves them to who may see them', async () => {
    const [toolTag, endpointTag] = [fresh('tool-tag'), fresh('endpoint-tag')];
    const [ofTool, ofEndpoint] = [await tag(toolTag, 'tool'), await tag(endpointTag, 'endpoint')];
    const operationId = fresh('listBills');
    const paths = { '/bills': { get: { operationId, tags: [endpointTag], responses: {} } } };
    const imported = await server().api('POST', '/imports', {
      body: {
        api: { apiId: 'bills', apiName: 'Bills' },
        version: { apiVersion: '1', serviceId: 'bills', envTag: 'dev' },
        document: { openapi: '3.1.0', info: { title: 'Bills', version: '1' }, paths },
        publish: true,
      },
    });
    expect(imported.status).toBeLessThan(300);
    const [tool] = (await server().api<Listed>('GET', '/tools?apiId=bills')).body.items;
    const stranger = await server().token({ scope: 'catalog:read catalog:write', sid: 'accounts' });
    const narrow = await server().token({ maxSensitivityTier: 'public' });
    for (const [things, id, tagId, name] of [
      ['tools', tool?.['toolId'], ofTool, toolTag],
      ['endpoints', tool?.['endpointId'], ofEndpoint, endpointTag],
    ] as const) {
      const path = `/${things}/${String(id)}`;
      const body = { tagIds: [tagId] };
      for (const token of [stranger, narrow]) {
        expect(await tryIt('PUT', `${path}/taxonomy`, { body, token })).toEqual([404, 'not_found']);
        expect(await tryIt('GET', `${path}/taxonomy`, { token })).toEqual([404, 'not_found']);
      }
      expect(await tryIt('PUT', `${path}/taxonomy`, { body })).toEqual([200, undefined]);
      expect((await server().api('GET', `${path}/taxonomy`)).body).toMatchObject({ tags: [{ tagId }] });
      expect((await server().api('GET', path)).body).toMatchObject({ categories: [], tags: [name] });
      const found = (await server().api<Listed>('GET', `/${things}?tag=${name}`)).body.items;
      expect(found).toMatchObject([{ tags: [name] }]);
      expect((await server().api<Listed>('GET', `/${things}?category=${name}`)).body.items).toEqual([]);
      const wrong = { body: { tagIds: [tagId === ofTool ? ofEndpoint : ofTool] } };
      expect(await tryIt('PUT', `${path}/taxonomy`, wrong)).toEqual([409, 'tag_not_found', '/tagIds/0']);
    }
  });

  it('gives endpoints the tags of their document: those there are, others when asked, nobody’s choice lost', async () => {
    const [there, missing] = [fresh('Ledger There'), fresh('Ledger Missing')];
    const [name, made1] = [there, missing].map((words) => words.toLowerCase().replace(' ', '-'));
    const tagId = await tag(String(name), 'endpoint');
    const operation = (...tags: string[]) => ({ tags, responses: {} });
    const paths = { '/a': { get: operation(there) }, '/b': { get: operation(missing, there) } };
    const bring = (more: object = {}) =>
      server().api('POST', '/imports', {
        body: {
          ...{ api: { apiId: 'ledger' }, version: { apiVersion: '1', serviceId: 'ledger', envTag: 'dev' } },
          document: { openapi: '3.1.0', info: { title: 'Ledger', version: '1' }, paths },
          ...more,
        },
      });
    const tags = async () => {
      const { items } = (await server().api<Listed>('GET', '/endpoints?apiId=ledger')).body;
      return items.map((item) => item['tags']);
    };
    expect((await bring({ dryRun: true, createTags: true })).body).toMatchObject({ tagsCreated: 1 });
    expect((await bring()).body).not.toHaveProperty('tagsCreated');
    expect(await tags()).toEqual([[name], [name]]);
    const [first] = (await server().api<Listed>('GET', '/endpoints?apiId=ledger')).body.items;
    const path = `/endpoints/${String(first?.['endpointId'])}/taxonomy`;
    expect((await server().api('PUT', path, { body: {} })).status).toBe(200);
    const again = await bring({ createTags: true });
    expect(again.body).toMatchObject({ unchanged: 2, tagsCreated: 1 });
    expect(await tags()).toEqual([[], [name]]);
    const created = await server().api<Listed>('GET', `/tags?tagName=${String(made1)}`);
    expect(created.body.items).toMatchObject([{ entityType: 'endpoint', tagName: made1 }]);
    expect((await bring({ createTags: true })).body).toMatchObject({ tagsCreated: 0 });
    const later = await server().api<Listed>('GET', `/events?after=${String(again.body['position'])}`);
    expect(later.body.items).toEqual([]);
    expect((await server().api('GET', `/tags/${tagId}`)).status).toBe(200);
  });

  it('shows global ones with a null host, writable for the global host alone', async () => {
    const name = fresh('global');
    const token = await server().token({ host: globalHostId });
    const answer = await fetch(`${server().address}/v1/hosts/${globalHostId}/tags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entityType: 'skill', tagName: name }),
    });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as Receipt;
    const listed = await server().api<Listed>('GET', `/tags?tagName=${name}`);
    expect(listed.body.items).toMatchObject([{ tagId: id, hostId: null }]);
    for (const method of ['PATCH', 'DELETE']) {
      const call = method === 'PATCH' ? { body: { tagDesc: 'Mine.' } } : {};
      expect(await tryIt(method, `/tags/${id}`, call)).toEqual([409, 'global_read_only']);
    }
    const skillId = await skill({ tagIds: [id] });
    expect((await server().api('GET', `/skills/${skillId}`)).body).toMatchObject({ tags: [name] });
    const found = await server().api<Listed>('GET', `/skills?tag=${name}`);
    expect(found.body.items).toMatchObject([{ skillId }]);
  });

  it('asks for scopes, and shows a token of an agent only what its catalog has', async () => {
    const name = fresh('seen');
    const tagId = await tag(name);
    const skillId = await skill({ tagIds: [tagId] });
    const reader = await server().token({ scope: 'catalog:read' });
    const agent = await server().token({ scope: 'catalog:agent', sid: 'any' });
    expect(await tryIt('GET', `/tags/${tagId}`, { token: reader })).toEqual([200, undefined]);
    expect(await tryIt('DELETE', `/tags/${tagId}`, { token: reader })).toEqual([403, 'insufficient_scope']);
    expect(await tryIt('GET', '/tags', { token: agent })).toEqual([403, 'insufficient_scope']);

    const toolId = await made(server(), '/tools', {
      name: fresh('tool'),
      description: 'A tool.',
      implementationType: 'python',
      inputSchema: { type: 'object' },
      safety: { readOnly: true },
    });
    expect((await server().api('PUT', `/skills/${skillId}/tools/${toolId}`, { body: {} })).status).toBe(201);
    await server().api('POST', '/apis', { body: { apiId: name, apiName: name } });
    const version = { apiVersion: '1', apiType: 'agent', serviceId: 'desk', envTag: 'dev' };
    const agentDefId = await made(server(), `/apis/${name}/versions`, version);
    expect((await server().api('PUT', `/agents/${agentDefId}`, { body: {} })).status).toBeLessThan(300);
    const claims = { scope: 'catalog:read catalog:write', sid: 'desk', agent_def_id: agentDefId };
    const narrowed = await server().token(claims);
    expect(await tryIt('GET', `/tags/${tagId}`, { token: narrowed })).toEqual([404, 'not_found']);
    expect((await server().api<Listed>('GET', '/tags', { token: narrowed })).body.items).toEqual([]);
    await server().api('POST', `/agents/${agentDefId}/skills`, { body: { skills: [{ skillId }] } });
    const seen = await server().api<Listed>('GET', '/tags', { token: narrowed });
    expect(seen.body.items).toMatchObject([{ tagId }]);
    const hidden = await tag(fresh('hidden'));
    expect(await tryIt('DELETE', `/tags/${hidden}`, { token: narrowed })).toEqual([404, 'not_found']);
    const probe = { token: narrowed, body: { tagIds: [hidden] } };
    expect(await tryIt('PUT', `/skills/${skillId}/taxonomy`, probe)).toEqual([
      409,
      'tag_not_found',
      '/tagIds/0',
    ]);
  });
});
