import { asRead } from './approving.js';
import { override } from './guards-world.js';
import { eachServer, hostId, type Server } from './server.js';

const safe = { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false };

/** An MCP listing of tools named so. */
const listing = (...names: string[]) => ({
  tools: names.map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { no: { type: 'string' } }, required: ['no'] },
    annotations: { readOnlyHint: true, destructiveHint: false },
  })),
});

const script = {
  name: 'addNumbers',
  description: 'Adds two numbers.',
  implementationType: 'python',
  scriptContent: 'def run(a, b): return a + b',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['b'],
  },
};

interface Tool {
  readonly toolId: string;
  readonly name: string;
  readonly [more: string]: unknown;
}

eachServer((running) => {
  let server: Server;
  let writer: string;
  beforeAll(async () => {
    server = running();
    writer = await server.token({ scope: 'catalog:read catalog:write', sid: 'cards' });
    const imported = await publish('cards', listing('getCard', 'blockCard', 'listCards'));
    expect(imported).toMatchObject({ status: 200, body: { total: 3, added: 3, conflicts: [] } });
  });

  const publish = (apiId: string, document: object, serviceId = 'cards') =>
    server.api('POST', '/imports', {
      body: {
        ...{ api: { apiId }, document, publish: true },
        version: { apiVersion: '1', apiType: 'mcp', serviceId, envTag: 'dev' },
      },
    });
  const list = async (query = '', token?: string): Promise<Tool[]> => {
    const { status, body } = await server.api<{ items: Tool[] }>(
      'GET',
      `/tools${query}`,
      token ? { token } : {},
    );
    expect(status).toBe(200);
    return body.items;
  };
  const toolNamed = async (name: string): Promise<Tool> => {
    const [tool] = await list(`?active=all&name=${name}`);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    return tool;
  };

  test('a script is given other schemas: graded, and a version in review until that is accepted', async () => {
    const made = await server.api<{ id: string }>('POST', '/tools', { body: { ...script, name: 'addMore' } });
    const path = `/tools/${made.body.id}`;
    const { a, b } = script.inputSchema.properties;
    const patch = (body: object) =>
      server.api<{ code?: string; toolVersion?: string; inReview?: string }>('PATCH', path, { body });
    const inputSchema = {
      ...script.inputSchema,
      properties: { a, b, c: { type: 'number' } },
      required: ['b', 'c'],
    };
    const revised = await patch({
      inputSchema,
      responseSchema: { type: 'number' },
      description: 'Adds three.',
    });
    expect([revised.status, revised.body.toolVersion, revised.body.inReview]).toEqual([
      200,
      '1.0.1',
      '2.0.0',
    ]);
    const waiting = await server.api('GET', `${path}/versions/2.0.0`);
    expect(waiting.body).toMatchObject({ state: 'in_review', content: { inputSchema } });
    expect((await server.api('GET', path)).body).toMatchObject({ inputSchema: script.inputSchema });
    const accept = async () => {
      const body = await asRead(server, `${path}/changes/accept`, override);
      return server.api('POST', `${path}/changes/accept`, { body });
    };
    expect((await accept()).status).toBe(200);
    const { body } = await server.api('GET', path);
    expect(body).toMatchObject({
      ...{ inputSchema, responseSchema: { type: 'number' }, description: 'Adds three.', version: '2.0.0' },
      change: null,
    });
    const params = await server.api<{ items: { name: string; required: boolean }[] }>(
      'GET',
      `${path}/params`,
    );
    expect(params.body.items.map(({ name, required }) => [name, required])).toEqual([
      ['b', true],
      ['c', true],
      ['a', false],
    ]);
    await patch({ responseSchema: null });
    await accept();
    expect((await server.api('GET', path)).body).toMatchObject({ responseSchema: null });

    const refused = await patch({ inputSchema: { type: 'text' } });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_schema']);
    const { toolId } = await toolNamed('getCard');
    const taken = await server.api<{ code: string }>('PATCH', `/tools/${toolId}`, { body: { inputSchema } });
    expect([taken.status, taken.body.code]).toEqual([409, 'tool_has_endpoint']);
  });

  test('an import publishes in its own transaction; importing again changes nothing', async () => {
    expect((await list('?apiId=cards')).map(({ name }) => name)).toEqual([
      'blockCard',
      'getCard',
      'listCards',
    ]);
    const events = await list('?apiId=cards');
    await publish('cards', listing('getCard', 'blockCard', 'listCards'));
    expect(await list('?apiId=cards')).toEqual(events);
    const { apiVersionId } = await toolNamed('getCard');
    const again = await server.api('POST', '/tools/publish', { body: { filter: { apiVersionId } } });
    expect(again).toMatchObject({ status: 200, body: { published: 0, unchanged: 3, conflicts: [] } });
  });

  test('an import reports the names that it finds taken, and publishes the rest', async () => {
    const { body } = await publish('loans', listing('getCard', 'getLoan'));
    expect(body).toMatchObject({
      added: 2,
      conflicts: [{ endpoint: 'getCard@call', code: 'tool_name_taken' }],
    });
    expect((await list('?apiId=loans')).map(({ name }) => name)).toEqual(['getLoan']);
    const { apiVersionId } = await toolNamed('getLoan');
    const prefixed = await server.api('POST', '/tools/publish', {
      body: { filter: { apiVersionId }, onConflict: 'prefix' },
    });
    expect(prefixed.body).toMatchObject({
      published: 1,
      unchanged: 1,
      items: [{ name: 'loans_getCard' }, { name: 'getLoan' }],
    });
  });

  test('an import reports a tool that comes back to a taken name, and leaves it out', async () => {
    await publish('first', listing('shared', 'other'));
    await publish('first', listing('other'));
    expect(await toolNamed('shared')).toMatchObject({ active: true, endpointActive: false });
    expect(await publish('second', listing('shared'))).toMatchObject({ body: { added: 1, conflicts: [] } });
    const { body } = await publish('first', listing('shared', 'other'));
    expect(body).toMatchObject({
      reactivated: 1,
      conflicts: [{ endpoint: 'shared@call', code: 'tool_name_taken' }],
    });
    const tools = await list('?active=all&name=shared');
    expect(tools.map(({ apiId, active }) => [apiId, active]).sort()).toEqual([
      ['first', false],
      ['second', true],
    ]);
  });

  test('a tool shows its params, and both sides of its words', async () => {
    const { toolId } = await toolNamed('getCard');
    const patched = await server.api('PATCH', `/tools/${toolId}`, {
      token: writer,
      body: {
        description: 'Shows one card.',
        routing: { domain: 'cards.debit', targetPersonas: ['Teller'], semanticWeight: 2 },
      },
    });
    expect(patched).toMatchObject({
      status: 200,
      body: { id: toolId, changed: true, version: 2, toolVersion: '1.0.1' },
    });
    expect(patched.headers.get('etag')).toBe('"2"');
    const { body, headers } = await server.api('GET', `/tools/${toolId}`);
    expect(headers.get('etag')).toBe('"2"');
    expect(body).toMatchObject({
      ...{ description: 'Shows one card.', version: '1.0.1', changed: false, endpointActive: true },
      ...{ provenance: { description: 'operator', 'routing.domain': 'operator' } },
      beneath: { description: 'Does getCard.' },
      params: [{ name: 'no', type: 'string', required: true, schema: { type: 'string' }, order: 0 }],
    });
    const params = await server.api('GET', `/tools/${toolId}/params`);
    expect(params.body).toEqual({ items: body['params'] });
    const one = await server.api('GET', `/tools/${toolId}/params/no`);
    expect([one.status, one.body]).toEqual([200, (body['params'] as unknown[])[0]]);
    expect((await server.api('GET', `/tools/${toolId}/params/other`)).status).toBe(404);
    for (const query of ['domain=cards.debit', 'persona=teller', 'q=ONE%20card', 'minSemanticWeight=1.5']) {
      expect((await list(`?${query}`)).map(({ name }) => name)).toEqual(['getCard']);
    }
    // Words in any order, and all of them.
    expect((await list('?q=one%20%20getc')).map(({ name }) => name)).toEqual(['getCard']);
    expect(await list('?q=one%20zebra')).toEqual([]);
    const again = await server.api('PATCH', `/tools/${toolId}`, { body: { description: 'Shows one card.' } });
    expect(again.body).toMatchObject({ changed: false, version: 2 });
  });

  test('a write may name the version that it expects', async () => {
    const { toolId, aggregateVersion } = await toolNamed('listCards');
    const write = (version: string) =>
      server.api('POST', `/tools/${toolId}/deactivate`, { headers: { 'if-match': `"${version}"` } });
    expect(await write('7')).toMatchObject({ status: 412 });
    expect(await write(String(aggregateVersion))).toMatchObject({ status: 200, body: { active: false } });
    expect(await server.api('POST', `/tools/${toolId}/activate`)).toMatchObject({
      status: 200,
      body: { active: true },
    });
    const batch = { body: { filter: { apiId: 'cards' } }, headers: { 'if-match': '"1"' } };
    expect(await server.api('POST', '/tools/publish', batch)).toMatchObject({ status: 400 });
  });

  test('only an administrator loosens a guard, also by taking a word back', async () => {
    const { toolId } = await toolNamed('blockCard');
    const patch = (token: string | undefined, body: object) =>
      server.api('PATCH', `/tools/${toolId}`, { body, ...(token && { token }) });
    const strict = {
      routing: { sensitivityTier: 'restricted' },
      safety: { destructive: true, humanApprovalRequired: true },
    };
    expect(await patch(writer, strict)).toMatchObject({ status: 200 });
    const loose = [
      { routing: { sensitivityTier: 'confidential' } },
      { routing: { sensitivityTier: null } },
      { routing: null },
      { safety: { destructive: false } },
      { safety: { humanApprovalRequired: null } },
      { safety: { approvalWorkflow: 'ops/approve' } },
    ];
    for (const body of loose) {
      expect(await patch(writer, body)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
      expect(await patch(undefined, body)).toMatchObject({ status: 200, body: { changed: true } });
      await patch(undefined, { ...strict, safety: { ...strict.safety, approvalWorkflow: null } });
    }
  });

  test('a changed document marks the tool until the change is accepted', async () => {
    const document = listing('getCard', 'blockCard', 'listCards');
    Object.assign(document.tools[2] ?? {}, { description: 'Lists every card.' });
    await publish('cards', document);
    const [changed] = await list('?changed=true');
    expect(changed).toMatchObject({ name: 'listCards', description: 'Lists every card.', changed: true });
    const { body } = await server.api('GET', `/tools/${changed?.toolId ?? ''}`);
    expect(body['change']).toEqual({
      ...{ grade: 'wording', fields: ['description'], grades: { description: 'wording' }, suspicious: [] },
      before: { description: 'Does listCards.' },
      after: { description: 'Lists every card.' },
    });
    const accept = () => server.api('POST', `/tools/${changed?.toolId ?? ''}/changes/accept`);
    expect(await accept()).toMatchObject({ status: 200, body: { changed: true } });
    expect(await accept()).toMatchObject({ status: 200, body: { changed: false } });
    expect(await list('?changed=true')).toEqual([]);
  });

  test('a tool without an endpoint is made, once under its name', async () => {
    const made = await server.api('POST', '/tools', { body: script });
    expect(made).toMatchObject({
      status: 201,
      body: { version: 1, name: 'addNumbers', toolVersion: '1.0.0' },
    });
    const id = String(made.body['id']);
    expect(made.headers.get('location')).toBe(`/v1/hosts/${hostId}/tools/${id}`);
    expect((await server.api('GET', `/tools/${id}`)).body).toMatchObject({
      ...{ endpointId: null, serviceId: null, envTag: null, scriptContent: script.scriptContent },
      ...{ toolMetadata: { routing: {}, safety: { ...safe, readOnly: false, idempotent: false } } },
      params: [{ name: 'b', type: 'number', required: true }, { name: 'a' }],
    });
    const again = await server.api('POST', '/tools', { body: script });
    expect(again).toMatchObject({ status: 409, body: { code: 'tool_name_taken' } });
    const approved = { ...script, name: 'approvedScript', safety: { approvalWorkflow: 'ops/approve' } };
    expect(await server.api('POST', '/tools', { body: approved, token: writer })).toMatchObject({
      status: 403,
    });
    expect(await server.api('POST', '/tools', { body: approved })).toMatchObject({ status: 201 });
  });

  test('what is no tool is refused with every fault', async () => {
    const bad = { ...script, name: 'no/name', implementationType: 'cobol', more: 1 };
    const refused = await server.api<{ errors: { pointer: string }[] }>('POST', '/tools', { body: bad });
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/implementationType',
      '/more',
      '/name',
    ]);
    const inputSchema = {
      type: 'object',
      properties: { a: { $ref: 'http://127.0.0.1/s' }, b: { type: 'text' } },
    };
    const faulty = await server.api<{ errors: { pointer: string }[] }>('POST', '/tools', {
      body: { ...script, inputSchema },
    });
    expect(faulty).toMatchObject({ status: 400, body: { code: 'invalid_schema' } });
    expect(faulty.body.errors.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/inputSchema/properties/a/$ref', '/inputSchema/properties/b/type']),
    );
    const twice = { ...script, implementationClass: 'com.example.Add' };
    expect(await server.api('POST', '/tools', { body: twice })).toMatchObject({
      ...{ status: 400, body: { errors: [{ pointer: '/scriptContent' }] } },
    });
  });

  test('example prompts are taught in bulk, all or none', async () => {
    const { toolId } = await toolNamed('getCard');
    const teach = (items: object[], mode = 'add') =>
      server.api('POST', '/tools/examples', { body: { items, mode } });
    const both = [
      { toolId, prompts: ['show my card'] },
      { toolName: 'getLoan', prompts: ['show my loan', 'show my loan'] },
    ];
    expect(await teach(both)).toMatchObject({
      status: 200,
      body: { items: [{ changed: true }, { changed: true }] },
    });
    expect(await teach(both)).toMatchObject({ body: { items: [{ changed: false }, { changed: false }] } });
    const prompts = async () => (await server.api('GET', `/tools/${toolId}`)).body['examplePrompts'];
    expect(
      await teach([
        { toolId, prompts: ['new'] },
        { toolName: 'nobody', prompts: [] },
      ]),
    ).toMatchObject({ status: 404 });
    expect(await prompts()).toEqual(['show my card']);
    await teach([{ toolId, prompts: ['which card'] }], 'replace');
    expect(await prompts()).toEqual(['which card']);
    const many = Array.from({ length: 200 }, (_, index) => String(index));
    expect(await teach([{ toolId, prompts: many }])).toMatchObject({
      status: 400,
      body: { code: 'too_many_example_prompts' },
    });
    const secret = ['sk_live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
    expect(await teach([{ toolId, prompts: [`charge with ${secret}`] }], 'replace')).toMatchObject({
      status: 200,
      body: { warnings: [{ code: 'secret_redacted', pointer: '/items/0/prompts/0' }] },
    });
    expect(JSON.stringify(await prompts())).not.toContain(secret);
    await teach([{ toolId, prompts: ['which card'] }], 'replace');
    expect(await teach([{ toolId, prompts: ['x'.repeat(501)] }])).toMatchObject({ status: 400 });
    expect(await teach([{ toolId, toolName: 'getCard', prompts: [] }])).toMatchObject({ status: 400 });
    expect(await prompts()).toEqual(['which card']);
  });

  test('what the token does not cover answers like what does not exist', async () => {
    await publish('elsewhere', listing('getElsewhere'), 'other-service');
    const { toolId } = await toolNamed('getElsewhere');
    const outside = [
      await server.token({ scope: 'catalog:read catalog:write', sid: 'cards' }),
      await server.token({ env: 'prod' }),
      await server.token({ maxSensitivityTier: 'public' }),
    ];
    for (const token of outside) {
      expect((await list('', token)).map(({ name }) => name)).not.toContain('getElsewhere');
      for (const [method, path, body] of [
        ['GET', ''],
        ['GET', '/params'],
        ['PATCH', '', { description: 'x' }],
        ['POST', '/activate'],
        ['POST', '/deactivate'],
        ['POST', '/changes/accept'],
      ] as const) {
        expect(await server.api(method, `/tools/${toolId}${path}`, { token, body })).toMatchObject({
          status: 404,
        });
      }
      const taught = { items: [{ toolName: 'getElsewhere', prompts: ['x'] }] };
      expect(await server.api('POST', '/tools/examples', { token, body: taught })).toMatchObject({
        status: 404,
      });
    }
    const reader = await server.token({ scope: 'catalog:read' });
    expect(await server.api('PATCH', `/tools/${toolId}`, { token: reader, body: {} })).toMatchObject({
      status: 403,
    });
  });

  test('a list goes on page by page', async () => {
    const names: string[] = [];
    let cursor = '';
    do {
      const { body } = await server.api<{ items: Tool[]; nextCursor?: string }>(
        'GET',
        `/tools?limit=2${cursor}`,
      );
      names.push(...body.items.map(({ name }) => name));
      cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(names).toEqual((await list('?limit=500')).map(({ name }) => name));
    expect(names).toEqual([...names].sort());
  });
});
