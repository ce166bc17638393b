import { eachServer } from './server.js';
import { fresh, guardsWorld, openapi, poison } from './guards-world.js';

/** Versions of a tool side by side: what agents are given, who approves, and what a link keeps to. */

interface Version {
  readonly version: string;
  readonly state: string;
  readonly isPresent: boolean;
  readonly review: { readonly by: string; readonly override: { readonly reason: string } | null } | null;
}
interface Given {
  readonly version: string;
  readonly description: string;
  readonly inputSchema: { readonly properties?: object };
  readonly deprecation?: { readonly on: string; readonly message: string };
}

eachServer((server) => {
  const { ask, refusal, bring, toolOf, agentWith, catalogOf, approval, approve } = guardsWorld(server);
  const tokens = { author: '', reviewer: '' };
  beforeAll(async () => {
    const scope = 'catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
  });
  const override = { override: { reason: 'Looked at by hand.' } };
  const taking = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  });
  const script = (name: string) => ({
    ...{ name, implementationType: 'python', description: 'Reads a file.' },
    inputSchema: taking('path'),
  });
  const made = async () =>
    (await ask<{ id: string }>('POST', '/tools', script(fresh('readFile')), tokens.author)).id;
  const statesOf = async (toolId: string) => {
    const { items } = await ask<{ items: Version[] }>('GET', `/tools/${toolId}/versions`);
    return items.map(({ version, state }) => `${version} ${state}`);
  };
  const givenTo = async (agent: string) => (await catalogOf(agent)).given as unknown as readonly Given[];
  const draft = (toolId: string, version: string, more: object = {}) =>
    ask(
      'POST',
      `/tools/${toolId}/versions`,
      { version, description: 'Reads a part of a file.', inputSchema: taking('path', 'from'), ...more },
      tokens.author,
    );
  /** Writes a version, asks for a review, and has it approved by somebody else. */
  const publish = async (toolId: string, version: string, more: object = {}) => {
    await draft(toolId, version, more);
    await ask('POST', `/tools/${toolId}/versions/${version}/submit`, {}, tokens.author);
    await approve(`/tools/${toolId}/versions/${version}/approve`, override, tokens.reviewer);
  };

  it('lists versions by pages, which stay right while others come', async () => {
    const toolId = await made();
    const same = { inputSchema: taking('path') };
    for (let minor = 1; minor <= 3; minor += 1) await draft(toolId, `1.${String(minor)}.0`, same);
    const page = (query: string) =>
      ask<{ items: Version[]; nextCursor?: string }>('GET', `/tools/${toolId}/versions?${query}`);
    const first = await page('limit=2');
    expect(first.items.map(({ version }) => version)).toEqual(['1.3.0', '1.2.0']);
    await draft(toolId, '1.4.0', same);
    const rest = await page(`cursor=${first.nextCursor ?? ''}`);
    expect(rest.items.map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
    expect(rest.nextCursor).toBeUndefined();
    expect(await refusal('GET', `/tools/${toolId}/versions?limit=101`)).toEqual([400, 'invalid_query']);
    expect(await refusal('GET', `/tools/${toolId}/versions?cursor=abc`)).toEqual([400, 'invalid_cursor']);
  });

  it('gives agents no version before it is approved, by somebody other than its author', async () => {
    const toolId = await made();
    const agent = await agentWith([toolId]);
    await draft(toolId, '2.0.0');
    const path = `/tools/${toolId}/versions/2.0.0`;
    expect(await approval(`${path}/approve`, override, tokens.reviewer)).toEqual([409, 'version_state']);
    await ask('POST', `${path}/submit`, {}, tokens.author);
    expect(await approval(`${path}/approve`, {}, tokens.author)).toEqual([409, 'own_version']);
    expect(await approval(`${path}/approve`, {}, tokens.reviewer)).toEqual([409, 'evaluation_needed']);
    const writer = await server().token({
      sub: 'joan',
      scope: 'catalog:write catalog:admin catalog:all-services',
    });
    expect(await approval(`${path}/approve`, override, writer)).toEqual([403, 'insufficient_scope']);
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.0', description: 'Reads a file.' }]);
    expect(await statesOf(toolId)).toEqual(['2.0.0 in_review', '1.0.0 approved']);
    await approve(`${path}/approve`, override, tokens.reviewer);
    expect(await ask<Version>('GET', path)).toMatchObject({
      ...{ state: 'approved', isPresent: true, author: 'ada' },
      review: { by: 'grace', override: override.override },
    });
    expect(await refusal('POST', `/tools/${toolId}/versions`, { ...script('x'), version: '2.0.0' })).toEqual([
      400,
      'invalid_body',
    ]);
    const again = { version: '2.0.0', description: 'Other.', inputSchema: taking('path') };
    expect(await refusal('POST', `/tools/${toolId}/versions`, again, tokens.author)).toEqual([
      409,
      'version_exists',
    ]);
  });

  it('keeps a skill to the major that it was linked with, and another to its range', async () => {
    const toolId = await made();
    const first = await agentWith([toolId]);
    await publish(toolId, '2.0.0');
    const second = await agentWith([toolId]);
    await publish(toolId, '1.1.0', { description: 'Reads a file, slowly.', inputSchema: taking('path') });
    expect(await givenTo(first)).toMatchObject([
      { version: '1.1.0', description: 'Reads a file, slowly.', inputSchema: taking('path') },
    ]);
    expect(await givenTo(second)).toMatchObject([{ version: '2.0.0', inputSchema: taking('path', 'from') }]);
    const skill = await ask<{ id: string }>('POST', '/skills', {
      name: fresh('skill'),
      contentMarkdown: 'x',
    });
    const link = `/skills/${skill.id}/tools/${toolId}`;
    await ask('PUT', link, { range: '1.0.0' });
    expect(await ask('GET', link)).toMatchObject({ range: '1.0.0' });
    await ask('PUT', link, { config: { notes: 'Mind the size.' } });
    expect(await ask('GET', link)).toMatchObject({ range: '1.0.0' });
    await ask('PUT', link, { range: 'approved' });
    expect(await ask('GET', link)).toMatchObject({ range: '^2' });
    expect(await refusal('PUT', link, { range: '1.2' })).toEqual([400, 'invalid_body']);
  });

  it('says that a version is deprecated, and retires none that links keep to without a reason', async () => {
    const toolId = await made();
    const agent = await agentWith([toolId]);
    await publish(toolId, '2.0.0');
    const path = `/tools/${toolId}/versions/1.0.0`;
    const deprecation = { on: '2099-01-01', message: 'Take 2.0.0.' };
    const hiding = { ...deprecation, message: `Take 2.0.0.\u202e` };
    await ask('POST', `${path}/deprecate`, hiding, tokens.author);
    const shown = { ...deprecation, message: 'Take 2.0.0.\ufffd' };
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.0', deprecation: shown }]);
    await ask('POST', `${path}/deprecate`, deprecation, tokens.author);
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.0', deprecation }]);
    expect(await refusal('POST', `${path}/retire`, {}, tokens.author)).toEqual([409, 'version_pinned']);
    await ask('POST', `${path}/retire`, { reason: 'The server is gone.' }, tokens.author);
    expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['version_not_approved'] });
    expect(await statesOf(toolId)).toEqual(['2.0.0 approved', '1.0.0 retired']);
  });

  it('lets a retired newest version make way for the one before', async () => {
    const toolId = await made();
    await publish(toolId, '1.1.0', { inputSchema: taking('path') });
    const agent = await agentWith([toolId]);
    expect(await givenTo(agent)).toMatchObject([{ version: '1.1.0' }]);
    const path = `/tools/${toolId}/versions/1.1.0`;
    expect(await refusal('POST', `${path}/retire`, {}, tokens.author)).toEqual([409, 'version_pinned']);
    const moved = { skills: [{ range: '^1', from: '1.1.0', to: '1.0.0' }], agents: [{ agentDefId: agent }] };
    const tried = await ask('POST', `${path}/retire`, { dryRun: true }, tokens.author);
    expect(tried).toMatchObject({ state: 'retired', moves: moved });
    const deprecation = { on: '2099-01-01', message: 'Take 1.0.0.', dryRun: true };
    expect(await ask('POST', `${path}/deprecate`, deprecation, tokens.author)).toMatchObject({
      moves: moved,
    });
    expect(await statesOf(toolId)).toEqual(['1.1.0 approved', '1.0.0 approved']);
    const reason = { reason: 'It is slow.' };
    expect(await ask('POST', `${path}/retire`, reason, tokens.author)).toMatchObject({ moves: moved });
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.0', description: 'Reads a file.' }]);
    await ask('POST', `/tools/${toolId}/versions/1.0.0/retire`, { reason: 'No use.' }, tokens.author);
    expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['version_not_approved'] });
    expect((await server().api('GET', `/tools/${toolId}`)).body).toMatchObject({
      name: expect.any(String) as string,
    });
  });

  it('goes on with the former version where a document breaks it, and with the new one once approved', async () => {
    const [apiId, op] = [fresh('api'), fresh('op')];
    const parameter = (name: string) => ({ name, in: 'query', required: true, schema: { type: 'string' } });
    await bring(apiId, openapi({ [op]: { parameters: [parameter('day')] } }), { publish: true });
    const { toolId } = await toolOf(apiId);
    const agent = await agentWith([toolId]);
    await bring(apiId, openapi({ [op]: { parameters: [parameter('week')] } }), {}, tokens.author);
    expect(await statesOf(toolId)).toEqual(['2.0.0 in_review', '1.0.0 approved']);
    const [given] = await givenTo(agent);
    expect(Object.keys(given?.inputSchema.properties ?? {})).toEqual(['day']);
    await approve(`/tools/${toolId}/versions/2.0.0/approve`, override, tokens.reviewer);
    const later = await agentWith([toolId]);
    const [taken] = await givenTo(later);
    expect(Object.keys(taken?.inputSchema.properties ?? {})).toEqual(['week']);
    expect((await givenTo(agent))[0]?.version).toBe('1.0.0');
  });

  it('keeps what an operator writes on a tool that waits for its first review', async () => {
    await ask('PUT', '/settings', { autoApprove: false });
    const toolId = await made();
    await ask('PATCH', `/tools/${toolId}`, { description: 'Reads any file.' }, tokens.author);
    expect(await statesOf(toolId)).toEqual(['1.0.1 in_review', '1.0.0 rejected']);
    await approve(`/tools/${toolId}/versions/1.0.1/approve`, override, tokens.reviewer);
    const agent = await agentWith([toolId]);
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.1', description: 'Reads any file.' }]);
    await ask('PUT', '/settings', { autoApprove: true });
  });

  it('keeps giving a tool whose guards get stricter while a text of it waits, and the text its own number', async () => {
    const [apiId, op] = [fresh('api'), fresh('op')];
    await bring(apiId, openapi({ [op]: {} }), { publish: true });
    const { toolId } = await toolOf(apiId);
    const agent = await agentWith([toolId]);
    await bring(apiId, openapi({ [op]: { summary: poison } }), {}, tokens.author);
    expect(await statesOf(toolId)).toEqual(['1.0.1 in_review', '1.0.0 approved']);
    await ask('PATCH', `/tools/${toolId}`, { routing: { sensitivityTier: 'restricted' } }, tokens.author);
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.2', description: 'Does it.' }]);
    expect(await statesOf(toolId)).toEqual([
      ...['1.0.3 in_review', '1.0.2 approved', '1.0.1 rejected', '1.0.0 approved'],
    ]);
    await approve(`/tools/${toolId}/versions/1.0.3/approve`, override);
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.3', description: poison }]);
  });

  it('has every change reviewed where the host says so', async () => {
    await ask('PUT', '/settings', { autoApprove: false });
    const toolId = await made();
    const agent = await agentWith([toolId]);
    expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['version_not_approved'] });
    expect(await statesOf(toolId)).toEqual(['1.0.0 in_review']);
    await approve(`/tools/${toolId}/versions/1.0.0/approve`, override, tokens.reviewer);
    await ask('PATCH', `/tools/${toolId}`, { description: 'Reads any file.' }, tokens.author);
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.0', description: 'Reads a file.' }]);
    await approve(`/tools/${toolId}/versions/1.0.1/approve`, override, tokens.reviewer);
    expect(await givenTo(agent)).toMatchObject([{ version: '1.0.1', description: 'Reads any file.' }]);
    await ask('PUT', '/settings', { autoApprove: true });
  });
});
