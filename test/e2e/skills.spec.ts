import { everyServer, type Server } from './server.js';

interface Receipt {
  readonly id: string;
  readonly version: number;
  readonly changed: boolean;
}
interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
interface Listed {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor?: string;
}

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
let count = 0;
const fresh = (word: string): string => `${word} ${String((count += 1))}`;

async function createSkill(server: Server, name: string, more: object = {}): Promise<Receipt> {
  const made = await server.api<Receipt>('POST', '/skills', {
    body: { name, contentMarkdown: 'Do.', ...more },
  });
  expect(made.status).toBe(201);
  return made.body;
}

async function createTool(server: Server, safety: object = {}): Promise<string> {
  const body = {
    name: fresh('tool').replace(' ', '_'),
    description: 'A tool.',
    implementationType: 'python',
    inputSchema: { type: 'object' },
    safety,
  };
  const made = await server.api<Receipt>('POST', '/tools', { body });
  expect(made.status).toBe(201);
  return made.body.id;
}

everyServer((server) => {
  it('writes, reads, changes, deactivates and activates a skill', async () => {
    const name = fresh('Account Management');
    const made = await server().api<Receipt>('POST', '/skills', {
      body: { name, contentMarkdown: '# Accounts' },
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('etag')).toBe('"1"');
    const { id } = made.body;
    expect(made.headers.get('location')).toMatch(new RegExp(`/skills/${id}$`));
    const read = await server().api('GET', `/skills/${id}`);
    expect(read.headers.get('etag')).toBe('"1"');
    expect(read.body).toMatchObject({
      ...{ skillId: id, name, description: '', contentMarkdown: '# Accounts', version: '1.0.0' },
      ...{ parentSkillId: null, active: true, aggregateVersion: 1, updateUser: 'operator' },
    });
    const changed = await server().api('PATCH', `/skills/${id}`, {
      body: { version: '1.1.0' },
      headers: { 'if-match': '"1"' },
    });
    expect([changed.status, changed.body]).toMatchObject([200, { version: 2, changed: true }]);
    const late = await server().api<Problem>('PATCH', `/skills/${id}`, {
      body: { version: '2.0.0' },
      headers: { 'if-match': '"1"' },
    });
    expect([late.status, late.body.code]).toEqual([412, 'version_conflict']);
    for (const [road, version, wasChanged] of [
      ['deactivate', 3, true],
      ['deactivate', 3, false],
      ['activate', 4, true],
    ] as const) {
      const answer = await server().api('POST', `/skills/${id}/${road}`);
      expect([answer.status, answer.body]).toMatchObject([200, { version, changed: wasChanged }]);
    }
  });

  it.each([
    ['another case', 'Kept \u00c9 One', 'kept \u00e9 one'],
    ['another normal form', 'caf\u00e9 two', 'cafe\u0301 two'],
    ['a letter that looks like it', 'Kelvin three', '\u212aelvin three'],
    ['a letter within a letter', '\ufb01sh four', 'FISH four'],
    ['a character that nobody sees', 'joined five', 'joi\u200dned five'],
  ])('takes a name in %s for the same, at every door', async (_how, name, alike) => {
    const first = await createSkill(server(), name);
    const twice = await server().api<Problem>('POST', '/skills', {
      body: { name: alike, contentMarkdown: 'Do.' },
    });
    expect([twice.status, twice.body.code]).toEqual([409, 'skill_name_taken']);
    const document = { name: alike, contentMarkdown: 'Do.' };
    const taken = await server().api<Problem>('POST', '/skills/import', { body: { document } });
    expect([taken.status, taken.body.code]).toEqual([409, 'skill_name_taken']);
    const { id } = await createSkill(server(), fresh('Other'));
    const renamed = await server().api<Problem>('PATCH', `/skills/${id}`, { body: { name: alike } });
    expect([renamed.status, renamed.body.code]).toEqual([409, 'skill_name_taken']);
    // Its own name may be spelt anew, and one that was given up may be taken.
    expect((await server().api('PATCH', `/skills/${first.id}`, { body: { name: alike } })).status).toBe(200);
    await server().api('POST', `/skills/${first.id}/deactivate`);
    await createSkill(server(), name);
    const back = await server().api<Problem>('POST', `/skills/${first.id}/activate`);
    expect([back.status, back.body.code]).toEqual([409, 'skill_name_taken']);
  });

  it('names every fault of a body', async () => {
    const body = {
      name: ' padded ',
      version: '1.0',
      parentSkillId: 'x',
      contentMarkdow: 'typo',
      contentMarkdown: '',
    };
    const answer = await server().api<Problem>('POST', '/skills', { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_body']);
    expect(answer.body.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/contentMarkdow',
      '/contentMarkdown',
      '/name',
      '/parentSkillId',
      '/version',
    ]);
    const unknown = await server().api('GET', `/skills/${nowhere}`);
    expect(unknown.status).toBe(404);
    expect((await server().api('GET', '/skills/odd')).status).toBe(400);
    expect((await server().api('PATCH', `/skills/${nowhere}`, { body: {} })).status).toBe(404);
  });

  it('refuses secrets with pointer and line, and does not repeat them', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const contentMarkdown = `# Use\n\nCall it with ${token}.`;
    const answer = await server().api<Problem>('POST', '/skills', {
      body: { name: fresh('Leak'), contentMarkdown },
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'skill_contains_secret']);
    expect(answer.body.errors).toEqual([
      { pointer: '/contentMarkdown', detail: expect.stringContaining('line 3') },
    ]);
    expect(answer.text).not.toContain(token);
    const { id } = await createSkill(server(), fresh('Clean'));
    const patch = await server().api<Problem>('PATCH', `/skills/${id}`, {
      body: { description: `key ${token}` },
    });
    expect([patch.status, patch.body.code]).toEqual([400, 'skill_contains_secret']);
    const config = { notes: `Use ${token}` };
    const link = await server().api<Problem>('PUT', `/skills/${id}/tools/${await createTool(server())}`, {
      body: { config },
    });
    expect([link.status, link.body.errors?.[0]?.pointer]).toEqual([400, '/config/notes']);
  });

  it('answers many writers of skills at once each with what is its own, also when asked again', async () => {
    const name = fresh('Taken at once');
    await createSkill(server(), name);
    const detail = `There is an active skill "${name}" already. Take another name, or deactivate that one.`;
    const bodies = Array.from({ length: 16 }, (_, index) => ({
      name: index % 4 === 2 ? name : fresh('At once'),
      contentMarkdown: 'Do.',
    }));
    const create = (body: object, index: number) =>
      server().api<Receipt & Problem>('POST', '/skills', {
        body,
        headers: { 'idempotency-key': `${name},writer-${String(index)}`.replaceAll(' ', '-') },
      });
    const first = await Promise.all(bodies.map(create));
    const again = await Promise.all(bodies.map(create));
    expect(again.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    for (const [index, { status, body }] of first.entries()) {
      if (bodies[index]?.name === name) {
        const refusal = { code: 'skill_name_taken', errors: [{ pointer: '/name', detail }] };
        expect([status, body]).toMatchObject([409, refusal]);
      } else {
        const read = await server().api('GET', `/skills/${body.id}`);
        expect([status, read.body['name']]).toEqual([201, bodies[index]?.name]);
      }
    }
  });

  it('keeps a name for one active skill, and parents without circles', async () => {
    const name = fresh('Taken');
    const { id } = await createSkill(server(), name);
    const second = await server().api<Problem>('POST', '/skills', { body: { name, contentMarkdown: 'Do.' } });
    expect([second.status, second.body.code]).toEqual([409, 'skill_name_taken']);
    const child = await createSkill(server(), fresh('Child'), { parentSkillId: id });
    const circle = await server().api<Problem>('PATCH', `/skills/${id}`, {
      body: { parentSkillId: child.id },
    });
    expect([circle.status, circle.body.code]).toEqual([409, 'skill_cycle']);
    const orphan = await server().api<Problem>('PATCH', `/skills/${id}`, {
      body: { parentSkillId: nowhere },
    });
    expect([orphan.status, orphan.body.code]).toEqual([409, 'parent_skill_not_found']);
    const below = await server().api<Listed>('GET', `/skills?parentSkillId=${id}`);
    expect(below.body.items.map((skill) => skill['skillId'])).toEqual([child.id]);
  });

  it('lists by name in pages', async () => {
    const word = fresh('Listed');
    for (const letter of ['b', 'a', 'ä', 'C']) await createSkill(server(), `${word} ${letter}`);
    const names: unknown[] = [];
    let cursor = '';
    do {
      const page = await server().api<Listed>(
        'GET',
        `/skills?q=${encodeURIComponent(word)}&limit=3${cursor}`,
      );
      names.push(...page.body.items.map((skill) => skill['name']));
      cursor = page.body.nextCursor === undefined ? '' : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== '');
    expect(names).toEqual(['C', 'a', 'b', 'ä'].map((letter) => `${word} ${letter}`));
    const [first] = (await server().api<Listed>('GET', `/skills?q=${encodeURIComponent(word)}`)).body.items;
    expect(first).not.toHaveProperty('contentMarkdown');
  });

  it('lets one of fifty changes with the same If-Match through, and all without', async () => {
    const { id } = await createSkill(server(), fresh('Crowded'));
    const change = (n: number, headers: Record<string, string>) =>
      server().api('PATCH', `/skills/${id}`, { body: { contentMarkdown: `Text ${String(n)}` }, headers });
    const all = (headers: Record<string, string>) =>
      Promise.all(Array.from({ length: 50 }, (_, n) => change(n, headers))).then((answers) =>
        answers.map(({ status }) => status).sort(),
      );
    expect(await all({ 'if-match': '"1"' })).toEqual([200, ...Array<number>(49).fill(412)]);
    const before = await server().api('GET', `/skills/${id}`);
    expect(before.body).toMatchObject({ aggregateVersion: 2 });
    expect(await all({})).toEqual(Array(50).fill(200));
    // One of the fifty may say what the winner had said: that one changes nothing.
    const { aggregateVersion } = (await server().api<{ aggregateVersion: number }>('GET', `/skills/${id}`))
      .body;
    expect([51, 52]).toContain(aggregateVersion);
  });

  it('links tools: 201 when new, 200 after, once; takes them away', async () => {
    const { id } = await createSkill(server(), fresh('Linked'));
    const toolId = await createTool(server(), { destructive: true });
    const path = `/skills/${id}/tools/${toolId}`;
    const put = (body: object) => server().api<Receipt>('PUT', path, { body });
    expect([(await put({})).status, (await put({})).body]).toMatchObject([
      201,
      { version: 1, changed: false },
    ]);
    const read = await server().api('GET', path);
    expect(read.body).toMatchObject({
      skillId: id,
      toolId,
      accessLevel: 'execute',
      config: {},
      active: true,
      toolActive: true,
    });
    const config = { notes: 'Ask first.', priority: 3, examples: ['Close my account'] };
    const changed = await put({ accessLevel: 'write', config });
    expect([changed.status, changed.body]).toMatchObject([200, { version: 2, changed: true }]);
    const odd = await server().api<Problem>('PUT', path, {
      body: { config: { approvalWorkfow: 'x' }, accessLevel: 'all' },
    });
    expect(odd.body.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/accessLevel',
      '/config/approvalWorkfow',
    ]);
    const stale = await server().api('DELETE', path, { headers: { 'if-match': '"1"' } });
    expect(stale.status).toBe(412);
    expect((await server().api('DELETE', path)).status).toBe(200);
    expect((await server().api('DELETE', path)).status).toBe(404);
    expect((await server().api('GET', path)).status).toBe(404);
    expect((await server().api<Listed>('GET', `/skills/${id}/tools`)).body.items).toEqual([]);
    const all = await server().api<Listed>('GET', `/skills/${id}/tools?active=all`);
    expect(all.body.items).toMatchObject([{ toolId, active: false, accessLevel: 'write', config }]);
    expect((await server().api('PUT', `/skills/${id}/tools/${nowhere}`, { body: {} })).status).toBe(404);
    expect((await server().api('GET', `/skills/${nowhere}/tools`)).status).toBe(404);
  });

  it('asks catalog:admin for an approval workflow, and a scope for everything', async () => {
    const { id } = await createSkill(server(), fresh('Guarded'));
    const toolId = await createTool(server());
    const author = await server().token({ scope: 'catalog:write', sid: 'any' });
    const reader = await server().token({ scope: 'catalog:read', sid: 'any' });
    const agent = await server().token({ scope: 'catalog:agent', sid: 'any' });
    const body = { config: { approvalWorkflow: 'ops/approve-closing' } };
    const path = `/skills/${id}/tools/${toolId}`;
    const refused = await server().api<Problem>('PUT', path, { token: author, body });
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect((await server().api('PUT', path, { token: author, body: {} })).status).toBe(201);
    expect((await server().api('PUT', path, { body })).status).toBe(200);
    expect((await server().api('PUT', path, { token: reader, body: {} })).status).toBe(403);
    expect((await server().api('GET', path, { token: reader })).status).toBe(200);
    expect((await server().api('GET', '/skills', { token: agent })).status).toBe(403);
  });

  it('shows a link only to who sees its tool', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Payments', version: '1' },
      paths: {
        '/payments': { get: { operationId: fresh('listPayments').replace(' ', '_'), responses: {} } },
      },
    };
    const version = { apiVersion: '1', serviceId: 'payments', envTag: 'dev' };
    const imported = await server().api('POST', '/imports', {
      body: { api: { apiId: 'payments', apiName: 'Payments' }, version, document, publish: true },
    });
    expect(imported.status).toBeLessThan(300);
    const tools = await server().api<Listed>('GET', '/tools?apiId=payments');
    const toolId = String(tools.body.items[0]?.['toolId']);
    const { id } = await createSkill(server(), fresh('Payments'));
    const path = `/skills/${id}/tools/${toolId}`;
    const scope = 'catalog:read catalog:write';
    const stranger = await server().token({ scope, sid: 'accounts' });
    expect((await server().api('PUT', path, { token: stranger, body: {} })).status).toBe(404);
    expect(
      (await server().api('PUT', path, { token: await server().token({ scope, sid: 'payments' }), body: {} }))
        .status,
    ).toBe(201);
    const elsewhere = await server().token({ scope, sid: 'payments', env: 'prod' });
    const publicOnly = await server().token({ scope, sid: 'payments', maxSensitivityTier: 'public' });
    for (const token of [stranger, elsewhere, publicOnly]) {
      expect((await server().api('GET', path, { token })).status).toBe(404);
      expect((await server().api('DELETE', path, { token })).status).toBe(404);
      expect((await server().api<Listed>('GET', `/skills/${id}/tools`, { token })).body.items).toEqual([]);
      expect((await server().api('GET', `/skills/${id}`, { token })).status).toBe(200);
    }
  });

  it('makes skills depend on each other, without circles', async () => {
    const { id } = await createSkill(server(), fresh('Upper'));
    const { id: lower } = await createSkill(server(), fresh('Lower'));
    const path = `/skills/${id}/dependencies/${lower}`;
    const missing = await server().api<Problem>('PUT', path, { body: {} });
    expect([missing.status, missing.body.errors?.[0]?.pointer]).toEqual([400, '/required']);
    const put = (required: boolean) => server().api<Receipt>('PUT', path, { body: { required } });
    expect([(await put(true)).status, (await put(true)).body]).toMatchObject([201, { changed: false }]);
    expect([(await put(false)).status, (await put(true)).body]).toMatchObject([200, { version: 3 }]);
    const circle = await server().api<Problem>('PUT', `/skills/${lower}/dependencies/${id}`, {
      body: { required: false },
    });
    expect([circle.status, circle.body.code]).toEqual([409, 'skill_cycle']);
    const list = await server().api<Listed>('GET', `/skills/${id}/dependencies`);
    expect(list.body.items).toMatchObject([{ dependsOnSkillId: lower, required: true, active: true }]);
    const reader = await server().token({ scope: 'catalog:read', sid: 'any' });
    expect((await server().api('DELETE', path, { token: reader })).status).toBe(403);
    expect((await server().api('DELETE', path)).status).toBe(200);
    expect((await server().api('DELETE', path)).status).toBe(404);
    expect((await server().api('GET', path)).status).toBe(404);
    expect((await server().api('GET', `/skills/${id}/dependencies/${nowhere}`)).status).toBe(404);
  });

  it('drafts a skill from tools, inactive and with its links', async () => {
    const reading = await createTool(server(), { readOnly: true });
    const deleting = await createTool(server(), { destructive: true });
    const path = '/skills/from-tools';
    const draft = await server().api<Receipt & { tools: { toolId: string; accessLevel: string }[] }>(
      'POST',
      path,
      {
        body: { toolIds: [reading, deleting], name: fresh('Drafted') },
      },
    );
    expect([draft.status, draft.body]).toMatchObject([201, { version: 1, active: false }]);
    expect(
      Object.fromEntries(draft.body.tools.map(({ toolId, accessLevel }) => [toolId, accessLevel])),
    ).toEqual({
      [reading]: 'read',
      [deleting]: 'execute',
    });
    const { id } = draft.body;
    expect(draft.headers.get('location')).toMatch(new RegExp(`/skills/${id}$`));
    const skill = await server().api('GET', `/skills/${id}`);
    expect(skill.body).toMatchObject({ active: false, contentMarkdown: expect.stringMatching(/^# Drafted/) });
    expect((await server().api<Listed>('GET', `/skills/${id}/tools`)).body.items).toHaveLength(2);
    expect((await server().api('POST', `/skills/${id}/activate`)).body).toMatchObject({ changed: true });
    const started = await server().api<Receipt & { workflow: { wfDefId: string } }>('POST', path, {
      body: { toolIds: [reading], name: fresh('Started'), starterWorkflow: true },
    });
    expect([started.status, started.body]).toMatchObject([
      201,
      { workflow: { namespace: 'skills', version: '1.0.0' } },
    ]);
    const { wfDefId } = started.body.workflow;
    const flow = await server().api('GET', `/workflows/${wfDefId}`);
    expect(flow.body).toMatchObject({ lifecycleStatus: 'DRAFT', toolCalls: [{ by: 'name' }], warnings: [] });
    const flows = await server().api<Listed>('GET', `/skills/${started.body.id}/workflows`);
    expect(flows.body.items).toMatchObject([{ wfDefId, workflowRole: 'primary' }]);
    const missing = await server().api<Problem>('POST', path, { body: { toolIds: [reading, nowhere] } });
    expect([missing.status, missing.body.code]).toEqual([409, 'tool_not_found']);
    expect(missing.body.errors?.map(({ pointer }) => pointer)).toEqual(['/toolIds/1']);
    const none = await server().api<Problem>('POST', path, { body: { apiVersionId: nowhere } });
    expect([none.status, none.body.code]).toEqual([409, 'no_tools']);
    for (const body of [{}, { toolIds: [reading], apiVersionId: nowhere }]) {
      expect((await server().api('POST', path, { body })).status).toBe(400);
    }
  });

  it('replays a write under its Idempotency-Key', async () => {
    const call = {
      body: { name: fresh('Once'), contentMarkdown: 'Do.' },
      headers: { 'idempotency-key': fresh('key').replace(' ', '-') },
    };
    const first = await server().api<Receipt>('POST', '/skills', call);
    const second = await server().api<Receipt>('POST', '/skills', call);
    expect([second.status, second.text, second.headers.get('etag')]).toEqual([201, first.text, '"1"']);
  });
});
