import { readArchive, writeZip } from '../../src/documents/archive.stream.js';
import { eachServer, hostId, type ApiAnswer, type Server } from './server.js';

interface Receipt {
  readonly id: string;
  readonly version: number;
  readonly position: number;
  readonly changed: boolean;
  readonly created: boolean;
  readonly unresolved: readonly {
    readonly kind: string;
    readonly reference: string;
    readonly reason: string;
  }[];
}
interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

let count = 0;
const fresh = (word: string): string => `${word}-${String((count += 1))}`;
const limits = { files: 512, bytes: 4 * 1024 * 1024 };

async function createTool(server: Server): Promise<{ id: string; name: string }> {
  const name = fresh('tool');
  const made = await server.api<Receipt>('POST', '/tools', {
    body: { name, description: 'A tool.', implementationType: 'python', inputSchema: { type: 'object' } },
  });
  expect(made.status).toBe(201);
  return { id: made.body.id, name };
}

const take = (server: Server, body: object): Promise<ApiAnswer<Receipt>> =>
  server.api<Receipt>('POST', '/skills/import', { body });

const pack = (server: Server, raw: Buffer, type = 'application/zip'): Promise<ApiAnswer<Receipt>> =>
  server.api<Receipt>('POST', '/skills/import', { raw, headers: { 'content-type': type } });

/** The bytes of an export. */
async function exported(server: Server, id: string, format: string): Promise<[Buffer, Headers]> {
  const url = `${server.address}/v1/hosts/${hostId}/skills/${id}/export?format=${format}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${await server.token()}` } });
  expect(answer.status).toBe(200);
  return [Buffer.from(await answer.arrayBuffer()), answer.headers];
}

/** A SKILL.md with members that nobody knows. */
function skillMd(name: string, allowed: string): string {
  return `---
# A comment.
name: ${name}
description: Looks   after accounts.
x-unknown: {deep: [1, 2]}   # kept
allowed-tools: ${allowed}
---

# Accounts

Read before you write.
`;
}

eachServer((server) => {
  it('takes a structured document in, and gives it back: taking that in changes nothing', async () => {
    const tool = await createTool(server());
    const ground = await server().api<Receipt>('POST', '/skills', {
      body: { name: fresh('ground'), contentMarkdown: 'Do.' },
    });
    const groundName = (await server().api<{ name: string }>('GET', `/skills/${ground.body.id}`)).body.name;
    const tag = fresh('tag');
    await server().api('POST', '/tags', { body: { entityType: 'skill', tagName: tag } });
    const flow = fresh('flow');
    const steps = `document: { dsl: 1.0.3, namespace: ops, name: ${flow}, version: 1.0.0 }\ndo:\n  - it: { mcp: { tool: ${tool.name} } }\n`;
    const wf = await server().api<Receipt>('POST', '/workflows', {
      body: { namespace: 'ops', name: flow, version: '1.0.0', definition: steps },
    });
    expect([wf.status, wf.text]).toEqual([201, expect.any(String)]);
    const name = fresh('Structured Skill');
    const document = {
      ...{ name, description: 'Looks after accounts.', version: '2.1.0', contentMarkdown: '# Do\n\n- it\n' },
      ...{ parentSkill: groundName, tags: [tag, 'nowhere'], categories: [] },
      tools: [
        { name: tool.name, accessLevel: 'execute', config: { notes: 'Ask.', priority: 2 } },
        { name: 'nowhere' },
      ],
      workflows: [
        { namespace: 'ops', name: flow, version: '1.0.0', workflowRole: 'primary', startMode: 'agent' },
        { namespace: 'ops', name: 'nowhere', version: '1.0.0', workflowRole: 'test' },
      ],
      dependsOn: [
        { skill: groundName, required: true },
        { skill: 'Nowhere', required: false },
      ],
    };
    const made = await take(server(), { document });
    expect([made.status, made.body]).toMatchObject([201, { version: 1, created: true }]);
    expect(made.body.unresolved).toEqual([
      { kind: 'tag', reference: 'nowhere', reason: 'not_found' },
      { kind: 'tool', reference: 'nowhere', reason: 'not_found' },
      { kind: 'workflow', reference: 'ops/nowhere@1.0.0', reason: 'not_found' },
      { kind: 'skill', reference: 'Nowhere', reason: 'not_found' },
    ]);
    const { id } = made.body;
    const skill = await server().api('GET', `/skills/${id}`);
    expect(skill.body).toMatchObject({
      version: '2.1.0',
      parentSkillId: ground.body.id,
      tags: [tag],
      active: true,
    });
    const head = (await server().api<{ position: number }>('POST', '/skills/import', { body: { document } }))
      .body;
    expect(head).toMatchObject({ changed: false, created: false });
    for (const format of ['json', 'yaml', 'skill-md']) {
      const [bytes] = await exported(server(), id, format);
      const again = await take(server(), { document: bytes.toString() });
      expect([format, again.status, again.body]).toMatchObject([
        format,
        200,
        { id, changed: false, unresolved: [] },
      ]);
    }
    const [json, headers] = await exported(server(), id, 'json');
    expect(headers.get('content-disposition')).toMatch(/structured-skill-\d+\.skill\.json/);
    expect(JSON.parse(json.toString())).toMatchObject({
      ...{ name, parentSkill: groundName, tags: [tag] },
      tools: [{ name: tool.name, accessLevel: 'execute', config: { notes: 'Ask.', priority: 2 } }],
      dependsOn: [{ skill: groundName, required: true }],
    });
    const flows = await server().api<{ items: object[] }>('GET', `/skills/${id}/workflows`);
    expect(flows.body.items).toMatchObject([
      { wfDefId: wf.body.id, workflowRole: 'primary', startMode: 'agent' },
    ]);
    const needed = await take(server(), { document: { name, contentMarkdown: 'Do.', tools: [] } });
    expect([needed.status, (needed.body as unknown as Problem).code]).toEqual([
      409,
      'workflow_tool_not_linked',
    ]);
    const without = { name, contentMarkdown: 'Do.', tools: [], workflows: [], dependsOn: [] };
    const less = await take(server(), { document: without });
    expect(less.body).toMatchObject({ changed: true, unresolved: [] });
    const [bare] = await exported(server(), id, 'json');
    expect(JSON.parse(bare.toString())).toMatchObject({
      version: '2.1.0',
      tags: [tag],
      tools: [],
      dependsOn: [],
    });
  });

  it('carries the range of a link that is not the usual one, and leaves that of a link that is there', async () => {
    const [usual, pinned] = [await createTool(server()), await createTool(server())];
    const name = fresh('Ranged Skill');
    const tools = [{ name: usual.name }, { name: pinned.name, range: '~1.0' }];
    const document = { name, contentMarkdown: '# Do\n', tools };
    const { id } = (await take(server(), { document })).body;
    const rangeOf = async (skillId: string, toolId: string) =>
      (await server().api<{ range: string }>('GET', `/skills/${skillId}/tools/${toolId}`)).body.range;
    expect([await rangeOf(id, usual.id), await rangeOf(id, pinned.id)]).toEqual(['^1', '~1.0']);
    const [bytes] = await exported(server(), id, 'json');
    const written = JSON.parse(bytes.toString()) as { tools: readonly { name: string; range?: string }[] };
    expect(written.tools.map((tool) => [tool.name, tool.range])).toEqual([
      [usual.name, undefined],
      [pinned.name, '~1.0'],
    ]);
    const again = await take(server(), { document: written });
    expect(again.body).toMatchObject({ id, changed: false });
    const copy = { ...written, name: fresh('Ranged Skill') };
    const other = (await take(server(), { document: copy })).body.id;
    expect(await rangeOf(other, pinned.id)).toBe('~1.0');
    // A document that does not speak of ranges leaves them as they are.
    expect((await take(server(), { document })).body.changed).toBe(false);
    await take(server(), { document: { ...document, tools: [{ name: usual.name }, { name: pinned.name }] } });
    expect(await rangeOf(id, pinned.id)).toBe('~1.0');
    const wrong = await take(server(), {
      document: { ...document, tools: [{ name: usual.name, range: '>1' }] },
    });
    expect(wrong.status).toBe(400);
  });

  it('takes the folder of a skill in, packed or as files, and gives back every byte of it', async () => {
    const tool = await createTool(server());
    const name = fresh('folder');
    const text = skillMd(name, `Bash(git:*) mcp__bank__${tool.name}`);
    const files = [
      { path: `${name}/SKILL.md`, bytes: Buffer.from(text) },
      { path: `${name}/scripts/run.py`, bytes: Buffer.from('print(1)\n') },
      { path: `${name}/assets/logo.bin`, bytes: Buffer.from([0, 255, 254, 1]) },
    ];
    const made = await pack(server(), Buffer.from(await writeZip(files)));
    expect([made.status, made.body]).toMatchObject([201, { created: true }]);
    expect(made.body.unresolved).toEqual([{ kind: 'tool', reference: 'Bash(git:*)', reason: 'not_found' }]);
    const { id } = made.body;
    expect((await server().api('GET', `/skills/${id}`)).body).toMatchObject({
      ...{ name, description: 'Looks   after accounts.', version: '1.0.0' },
      contentMarkdown: '\n# Accounts\n\nRead before you write.\n',
    });
    const links = await server().api<{ items: object[] }>('GET', `/skills/${id}/tools`);
    expect(links.body.items).toMatchObject([{ toolId: tool.id }]);
    expect((await exported(server(), id, 'skill-md'))[0].toString()).toBe(text);
    for (const [format, type] of [
      ['zip', 'application/zip'],
      ['tar', 'application/gzip'],
    ] as const) {
      const [bytes, headers] = await exported(server(), id, format);
      expect(headers.get('content-type')).toBe(type);
      const back = await readArchive(bytes, limits);
      const plain = (all: readonly { path: string; bytes: Uint8Array }[]) =>
        new Map(all.map(({ path, bytes }) => [path, Buffer.from(bytes).toString('hex')]));
      expect(plain(back)).toEqual(plain(files));
      expect((await pack(server(), bytes, type)).body).toMatchObject({ id, changed: false });
    }
    const asFiles = files.map(({ path, bytes }) => ({ path, base64: bytes.toString('base64') }));
    expect((await take(server(), { files: asFiles })).body).toMatchObject({ id, changed: false });
    const plain = await pack(server(), Buffer.from(text), 'text/markdown');
    expect(plain.body).toMatchObject({ id, changed: true });
    await server().api('PATCH', `/skills/${id}`, { body: { description: 'Other words.' } });
    const [mended] = await exported(server(), id, 'skill-md');
    expect(mended.toString()).toBe(text.replace('Looks   after accounts.', 'Other words.'));
  });

  it('its own export leaves a skill what it has, whatever became of that or bears the same name', async () => {
    const api = <Body = Receipt>(method: string, path: string, body?: object) =>
      server().api<Body>(method, path, { body });
    const make = async (path: string, body: object): Promise<string> => {
      const made = await api('POST', path, body);
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
      return made.body.id;
    };
    const words = (name: string) => ({ name, contentMarkdown: 'Do.' });
    const [ground, parent, tag] = [fresh('ground'), fresh('parent'), fresh('tag')];
    const [groundId, parentId] = [await make('/skills', words(ground)), await make('/skills', words(parent))];
    const term = { entityType: 'skill' };
    const kept = await make('/tags', { ...term, tagName: `${tag}-kept` });
    const [tagId, ...categoryIds] = [
      await make('/tags', { ...term, tagName: tag }),
      await make('/categories', { ...term, categoryName: tag }),
    ];
    const below = { ...term, categoryName: tag, parentCategoryId: categoryIds[0] };
    categoryIds.push(await make('/categories', below));
    const taxonomy = { categoryIds, tagIds: [tagId, kept] };
    const id = await make('/skills', { ...words(fresh('whole')), parentSkillId: parentId, ...taxonomy });
    await api('PUT', `/skills/${id}/dependencies/${groundId}`, { required: true });
    const script = await createTool(server());
    await api('PUT', `/skills/${id}/tools/${script.id}`, { config: { priority: 1 } });
    await api('POST', `/tools/${script.id}/deactivate`);
    const namesake = await make('/tools', {
      ...{ name: script.name, description: 'A tool.', implementationType: 'python' },
      inputSchema: { type: 'object' },
    });
    await api('PUT', `/skills/${id}/tools/${namesake}`, { config: { priority: 2 } });
    await api('DELETE', `/tags/${tagId}`);
    for (const [old, name] of [
      [groundId, ground],
      [parentId, parent],
    ] as const) {
      await api('POST', `/skills/${old}/deactivate`);
      await make('/skills', words(name));
    }
    const [bytes] = await exported(server(), id, 'json');
    const again = await take(server(), { document: bytes.toString() });
    expect([again.status, again.body]).toMatchObject([200, { id, changed: false, unresolved: [] }]);
    const document = JSON.parse(bytes.toString()) as { tools: object[] };
    const once = await take(server(), { document: { ...document, tools: document.tools.slice(1) } });
    expect(once.body).toMatchObject({
      changed: false,
      unresolved: [{ kind: 'tool', reference: script.name, reason: 'ambiguous' }],
    });
    await api('PUT', `/skills/${id}/taxonomy`, { categoryIds: categoryIds.slice(1) });
    const [fewer] = await exported(server(), id, 'yaml');
    expect((await take(server(), { document: fewer.toString() })).body).toMatchObject({ changed: false });
  });

  it('what was changed here is in SKILL.md, and comes back with it as it is', async () => {
    const [kept, gone] = [await createTool(server()), await createTool(server())];
    const name = fresh('mended');
    const text = skillMd(name, `${kept.name} Read ${gone.name}`);
    const { id } = (await pack(server(), Buffer.from(text), 'text/markdown')).body;
    await server().api('PATCH', `/skills/${id}`, { body: { version: '2.0.0' } });
    await server().api('DELETE', `/skills/${id}/tools/${gone.id}`);
    const [mended] = await exported(server(), id, 'skill-md');
    expect(mended.toString()).toContain(`allowed-tools: ${kept.name} Read\n`);
    expect(mended.toString()).toContain('metadata:\n  version: 2.0.0\n');
    const again = await pack(server(), mended, 'text/markdown');
    expect(again.body).toMatchObject({ id, changed: false });
    expect((await pack(server(), Buffer.from(text), 'text/markdown')).body).toMatchObject({ changed: true });
  });

  it('names a tool with its API in front once, for as long as the skill has it', async () => {
    const [apiId, operationId] = [fresh('api'), fresh('op')];
    const document = {
      ...{ openapi: '3.1.0', info: { title: 'A', version: '1' } },
      paths: { '/a': { get: { operationId, responses: {} } } },
    };
    const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
    const body = { api: { apiId }, version, document, publish: true };
    await server().api('POST', '/imports', { body });
    for (const reference of [`${apiId}/${operationId}`, `${apiId}@1/${operationId}`]) {
      const text = skillMd(fresh('prefixed'), `${reference} Read`);
      const { id } = (await pack(server(), Buffer.from(text), 'text/markdown')).body;
      const { items } = (await server().api<{ items: { toolId: string }[] }>('GET', `/skills/${id}/tools`))
        .body;
      await server().api('PATCH', `/skills/${id}`, { body: { version: '2.0.0' } });
      const [linked] = await exported(server(), id, 'skill-md');
      expect(linked.toString()).toContain(`allowed-tools: ${reference} Read\n`);
      await server().api('DELETE', `/skills/${id}/tools/${items[0]?.toolId ?? ''}`);
      const [unlinked] = await exported(server(), id, 'skill-md');
      expect(unlinked.toString()).toContain('allowed-tools: Read\n');
    }
  });

  it('does not guess which of several inactive skills of a name is meant', async () => {
    const document = { name: fresh('twice'), contentMarkdown: 'Do.' };
    for (const _ of [1, 2]) {
      const { body } = await server().api<Receipt>('POST', '/skills', { body: document });
      await server().api('POST', `/skills/${body.id}/deactivate`);
    }
    const refused = await server().api<Problem>('POST', '/skills/import', { body: { document } });
    expect([refused.status, refused.body.code]).toEqual([409, 'skill_name_ambiguous']);
    const dependent = {
      ...document,
      name: fresh('dependent'),
      dependsOn: [{ skill: document.name, required: true }],
    };
    expect((await take(server(), { document: dependent })).body.unresolved).toEqual([
      { kind: 'skill', reference: document.name, reason: 'ambiguous' },
    ]);
  });

  it('makes categories and tags where it is told to, by their slugs, and not once more', async () => {
    const [name, category, tag] = [fresh('classified'), fresh('Kunden & Verträge'), fresh('tag')];
    const slug = category.toLowerCase().replace(' & verträge', '-vertrage');
    const document = {
      name,
      contentMarkdown: 'Do.',
      categories: [category],
      tags: [tag, tag.toUpperCase(), '!'],
    };
    const without = await take(server(), { document, dryRun: true });
    expect(without.body.unresolved.map(({ kind, reference }) => [kind, reference])).toEqual([
      ['category', category],
      ['tag', tag.toUpperCase()],
      ['tag', '!'],
    ]);
    const dry = await take(server(), { document, createTaxonomy: true, dryRun: true });
    const made = [
      { kind: 'category', name: slug },
      { kind: 'tag', name: tag },
    ];
    expect([dry.status, dry.headers.get('location'), dry.body]).toMatchObject([
      200,
      null,
      { created: true, changed: true, taxonomyCreated: made },
    ]);
    expect((await server().api('GET', `/skills/${dry.body.id}`)).status).toBe(404);
    const taken = await take(server(), { document, createTaxonomy: true });
    expect([taken.status, taken.body]).toMatchObject([201, { taxonomyCreated: made }]);
    expect(taken.body.unresolved).toEqual([{ kind: 'tag', reference: '!', reason: 'not_found' }]);
    expect((await server().api('GET', `/skills/${taken.body.id}`)).body).toMatchObject({
      categories: [slug],
      tags: [tag],
    });
    const again = await take(server(), { document, createTaxonomy: true });
    expect(again.body).toMatchObject({ changed: false, taxonomyCreated: [] });
  });

  it('a SKILL.md names tags for a skill that nobody has classified; dryRun in the query holds as well', async () => {
    const [name, tag] = [fresh('tagged'), fresh('md')];
    const text = `---\nname: ${name}\ndescription: Does it.\nmetadata:\n  tags: ${tag}, ${tag}\n---\nDo.\n`;
    const send = (query: string) =>
      server().api<Receipt>('POST', `/skills/import${query}`, {
        raw: Buffer.from(text),
        headers: { 'content-type': 'text/markdown' },
      });
    expect((await send('?dryRun=true&createTaxonomy=true')).status).toBe(200);
    expect((await send('')).body.unresolved).toEqual([{ kind: 'tag', reference: tag, reason: 'not_found' }]);
    const { body } = await send('?createTaxonomy=true');
    const path = `/skills/${body.id}`;
    expect([body.changed, (await server().api('GET', path)).body['tags']]).toEqual([true, [tag]]);
    await server().api('PUT', `${path}/taxonomy`, { body: { tagIds: [] } });
    expect((await send('?createTaxonomy=true')).body).toMatchObject({ changed: false });
    expect((await server().api('GET', path)).body['tags']).toEqual([]);
    expect((await send('?dryRun=perhaps')).status).toBe(400);
  });

  it('warns of hidden files, which programs read by themselves', async () => {
    const files = [
      { path: 'SKILL.md', content: skillMd(fresh('hidden'), 'Read') },
      { path: 'a/.vscode/settings.json', content: '{}' },
      { path: 'scripts/run.sh', content: 'echo' },
    ];
    const taken = await take(server(), { files });
    expect([taken.status, taken.body]).toMatchObject([
      201,
      { warnings: [{ code: 'hidden_file', pointer: '/a~1.vscode~1settings.json' }] },
    ]);
    const [bytes] = await exported(server(), taken.body.id, 'zip');
    expect((await readArchive(bytes, limits)).map(({ path }) => path.replace(/^[^/]+/, ''))).toEqual(
      files.map(({ path }) => `/${path}`),
    );
  });

  it('refuses what is hostile or broken, with its place, and writes nothing of it', async () => {
    const before = await server().api<{ items: unknown[] }>('GET', '/events?after=0&limit=500');
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const file = (path: string, content: string) => ({ path, content });
    const good = file('SKILL.md', skillMd(fresh('bad'), 'Read'));
    const leak = await server().api<Problem>('POST', '/skills/import', {
      body: { files: [good, file('scripts/x.sh', `one\ncurl -H ${token}\n`)] },
    });
    expect([leak.status, leak.body.code]).toEqual([400, 'skill_contains_secret']);
    expect(leak.body.errors).toEqual([
      { pointer: '/scripts~1x.sh', detail: expect.stringMatching(/^line 2 .*github/) },
    ]);
    expect(leak.text).not.toContain(token);
    const refusals: [object, string][] = [
      [{ files: [good, file('../x', 'x')] }, 'unsafe_path'],
      [{ files: [good, file('.git/config', 'x')] }, 'unsafe_path'],
      [{ files: [good, file('\u017f', 'x'), file('S', 'x')] }, 'malformed_archive'],
      [{ files: [file('README.md', 'x')] }, 'malformed_skill'],
      [{ files: [{ path: 'SKILL.md' }] }, 'invalid_body'],
      [{}, 'invalid_body'],
      [{ document: '---\nname: [\n---\n' }, 'malformed_yaml'],
      [{ document: '---\nname: a\n---\n' }, 'invalid_body'],
      [
        { document: { name: 'a', contentMarkdown: 'x', tools: [{ name: 'a', config: { odd: 1 } }] } },
        'invalid_body',
      ],
      [{ document: { name: 'a', contentMarkdown: 'x', odd: 1 } }, 'invalid_body'],
    ];
    for (const [body, code] of refusals) {
      const answer = await server().api<Problem>('POST', '/skills/import', { body });
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, code]);
    }
    const odd = await pack(server(), Buffer.from('PK\u0003\u0004 no zip at all'));
    expect([odd.status, (odd.body as unknown as Problem).code]).toEqual([400, 'malformed_archive']);
    const large = await pack(server(), Buffer.alloc(9 * 1024 * 1024), 'application/zip');
    expect(large.status).toBe(413);
    expect((await pack(server(), Buffer.from('x'), 'text/html')).status).toBe(415);
    const after = await server().api<{ items: unknown[] }>('GET', '/events?after=0&limit=500');
    expect(after.body.items.length).toBe(before.body.items.length);
  });

  it('asks for the scopes of what it does, and gives narrowed tokens no export', async () => {
    const tool = await createTool(server());
    const name = fresh('scoped');
    const document = { name, contentMarkdown: 'Do.', tools: [{ name: tool.name }] };
    const approved = {
      ...document,
      tools: [{ name: tool.name, config: { approvalWorkflow: 'ops/approve' } }],
    };
    const author = await server().token({ scope: 'catalog:write', sid: 'any' });
    const as = (token: string, body: object) =>
      server().api<Receipt>('POST', '/skills/import', { token, body });
    expect((await as(author, { document: approved })).status).toBe(403);
    const made = await as(author, { document });
    expect(made.status).toBe(201);
    const reader = await server().token({ scope: 'catalog:read', sid: 'any' });
    expect((await as(reader, { document })).status).toBe(403);
    const path = `/skills/${made.body.id}/export`;
    expect((await server().api('GET', path, { token: reader })).status).toBe(200);
    const narrowed = await server().token({
      scope: 'catalog:read',
      sid: 'any',
      maxSensitivityTier: 'internal',
    });
    expect((await server().api('GET', path, { token: narrowed })).status).toBe(403);
    expect((await server().api('GET', '/skills/0198c0de-0000-7000-8000-00000000ffff/export')).status).toBe(
      404,
    );
    expect((await server().api('GET', `${path}?format=exe`)).status).toBe(400);
  });
});
