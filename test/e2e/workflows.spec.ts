import { eachServer, type ApiCall, type Server } from './server.js';

interface Receipt {
  readonly id: string;
  readonly version: number;
}
interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
interface Listed {
  readonly items: readonly Record<string, unknown>[];
}

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
let count = 0;
const fresh = (word: string): string => `${word}-${String((count += 1))}`;

/** YAML with comments, odd breaks and blanks, that calls tools by name. */
const calling = (...names: string[]): string =>
  [
    '# steps',
    'do:',
    ...names.map((name) => `  - call-${name}:   {call: mcp, with: {tool: ${name}}}\r`),
    '',
  ].join('\n');

async function made(server: Server, path: string, body: object): Promise<string> {
  const answer = await server.api<Receipt>('POST', path, { body });
  expect([path, answer.status, answer.text]).toEqual([path, 201, expect.any(String)]);
  return answer.body.id;
}

eachServer((server) => {
  const tryIt = async (method: string, path: string, call: ApiCall = {}) => {
    const { status, body } = await server().api<Problem>(method, path, call);
    return [status, body.code, ...(body.errors ?? []).map(({ pointer }) => pointer)];
  };
  const skill = () => made(server(), '/skills', { name: fresh('Skill'), contentMarkdown: 'Do.' });
  const tool = (name: string) =>
    made(server(), '/tools', {
      ...{ name, description: 'A tool.', implementationType: 'python', inputSchema: { type: 'object' } },
    });
  const workflow = (definition = 'do: []\n', name = fresh('flow'), version = '1.0.0') =>
    made(server(), '/workflows', { namespace: 'ops', name, version, definition });
  const linkedSkill = async (...names: string[]) => {
    const skillId = await skill();
    const toolIds = [];
    for (const name of names) {
      const toolId = await tool(name);
      expect((await server().api('PUT', `/skills/${skillId}/tools/${toolId}`, { body: {} })).status).toBe(
        201,
      );
      toolIds.push(toolId);
    }
    return { skillId, toolIds };
  };

  it('goes from draft to deprecated, its definition kept byte for byte', async () => {
    const [name, definition] = [fresh('close'), calling('close_it')];
    const id = await workflow(definition, name);
    const path = `/workflows/${id}`;
    const draft = await server().api('GET', path);
    expect([draft.headers.get('etag'), draft.body]).toMatchObject([
      '"1"',
      {
        ...{ wfDefId: id, namespace: 'ops', name, version: '1.0.0', lifecycleStatus: 'DRAFT', active: true },
        toolCalls: [{ path: '/do/0/call-close_it', by: 'name', value: 'close_it', dependency: null }],
        warnings: [],
      },
    ]);
    expect(draft.body['definition']).toBe(definition);
    expect(await tryIt('POST', `${path}/deprecate`)).toEqual([409, 'workflow_not_published']);
    const changed = await server().api('PATCH', path, {
      body: { definition: 'do: [{it: {mcp: {tool: "${ .t }"}}}]' },
    });
    expect(changed.body).toMatchObject({
      version: 2,
      lifecycleStatus: 'DRAFT',
      warnings: [{ path: '/do/0/it/mcp/tool', code: 'workflow_tool_expression' }],
    });
    expect((await server().api('POST', `${path}/publish`)).body).toMatchObject({
      version: 3,
      lifecycleStatus: 'PUBLISHED',
    });
    expect(await tryIt('PATCH', path, { body: { definition } })).toEqual([409, 'workflow_not_draft']);
    const again = { namespace: 'ops', name, version: '1.0.0', definition };
    expect(await tryIt('POST', '/workflows', { body: again })).toEqual([
      409,
      'workflow_version_taken',
      '/version',
    ]);
    await workflow(definition, name, '2.0.0');
    const versions = await server().api<Listed>('GET', `/workflows?name=${name}`);
    expect(versions.body.items.map((item) => item['version']).sort()).toEqual(['1.0.0', '2.0.0']);
    expect(versions.body.items[0]).not.toHaveProperty('definition');
    expect((await server().api('POST', `${path}/deactivate`)).body).toMatchObject({ version: 4 });
    expect((await server().api('POST', `${path}/activate`)).body).toMatchObject({ version: 5 });
    expect((await server().api('POST', `${path}/deprecate`)).body).toMatchObject({
      lifecycleStatus: 'DEPRECATED',
    });
    expect(await tryIt('POST', `${path}/publish`)).toEqual([409, 'workflow_deprecated']);
    expect(await tryIt('POST', `/workflows/${nowhere}/publish`)).toEqual([404, 'not_found']);
  });

  it('refuses what can’t be read, what can’t be told, and secrets, with every fault', async () => {
    const save = (definition: string, more: object = {}) =>
      tryIt('POST', '/workflows', {
        body: { namespace: 'ops', name: fresh('odd'), version: '1.0.0', definition, ...more },
      });
    const invalid = [400, 'workflow_definition_invalid', '/definition'];
    expect(await save('do: [')).toEqual(invalid);
    expect(await save('just words')).toEqual(invalid);
    expect(await save('do: [a, {b: {call: mcp}}]')).toEqual([...invalid, '/definition']);
    expect(await save(`do: []\n# ${'github_pat_' + 'a1B2'.repeat(20)}ab`)).toEqual([
      400,
      'workflow_contains_secret',
      '/definition',
    ]);
    const [status, , ...pointers] = await save('do: []', {
      namespace: 'a/b',
      name: 'no blanks',
      version: '1',
    });
    expect([status, pointers.sort()]).toEqual([400, ['/name', '/namespace', '/version']]);
    expect(await save('x'.repeat(200_000))).toEqual([400, 'invalid_body', '/definition']);
  });

  it('validates without writing, with or without a skill', async () => {
    const known = fresh('known').replace('-', '_');
    const { skillId } = await linkedSkill(known);
    const definition = calling(known, 'other');
    const validate = (body: object) => server().api('POST', '/workflows/validate', { body });
    const alone = await validate({ definition });
    expect([alone.status, alone.body]).toMatchObject([200, { problems: [], steps: [{}, {}] }]);
    expect((await validate({ definition, skillId })).body).toMatchObject({
      problems: [{ severity: 'error', path: '/do/1/call-other', code: 'workflow_tool_not_linked' }],
    });
    expect((await validate({ definition, skillId, version: '2.0.0' })).body).toMatchObject({
      problems: [{ line: 4 }],
      steps: [
        { line: 3, next: [{ path: '/do/1/call-other', label: null }] },
        { line: 4, next: [] },
      ],
    });
    const [key, said] = ['github_pat_' + 'a1B2'.repeat(20) + 'ab', { name: 'other' }];
    const odd = await validate({ definition: `document: {name: odd}\ndo: []\n# ${key}`, ...said });
    expect(odd.body).toMatchObject({
      problems: [
        { severity: 'warning', code: 'workflow_document_differs', line: 1 },
        { severity: 'error', code: 'workflow_contains_secret', line: 3 },
      ],
    });
    expect(odd.text).not.toContain(key);
    expect((await validate({ definition: 'do:\n  : [' })).body).toMatchObject({
      problems: [{ severity: 'error', path: '', code: 'workflow_malformed_yaml', line: 2 }],
      steps: [],
    });
    expect(await tryIt('POST', '/workflows/validate', { body: { definition, skillId: nowhere } })).toEqual([
      404,
      'not_found',
    ]);
    const narrow = await server().token({ maxSensitivityTier: 'public' });
    expect(await tryIt('POST', '/workflows/validate', { body: { definition }, token: narrow })).toEqual([
      403,
      'confined_token',
    ]);
  });

  it('links workflows to skills: tools linked, one primary, and flags what goes wrong later', async () => {
    const [a, b] = [fresh('a').replace('-', '_'), fresh('b').replace('-', '_')];
    const { skillId, toolIds } = await linkedSkill(a);
    const wfDefId = await workflow(calling(a, b));
    const path = `/skills/${skillId}/workflows/${wfDefId}/primary`;
    expect(await tryIt('PUT', path, { body: {} })).toEqual([
      409,
      'workflow_tool_not_linked',
      `/do/1/call-${b}`,
    ]);
    expect(await tryIt('PATCH', `/workflows/${wfDefId}`, { body: { definition: calling(a) } })).toEqual([
      200,
      undefined,
    ]);
    const put = (body: object) => server().api('PUT', path, { body });
    const config = { inputDefaults: { months: 3 } };
    expect([(await put({})).status, (await put({ startMode: 'agent', config })).body]).toMatchObject([
      201,
      { version: 2, changed: true },
    ]);
    expect((await put({ startMode: 'agent', config })).body).toMatchObject({ version: 2, changed: false });
    const other = await workflow();
    expect(await tryIt('PUT', `/skills/${skillId}/workflows/${other}/primary`, { body: {} })).toEqual([
      409,
      'primary_workflow_taken',
    ]);
    expect((await tryIt('PUT', `/skills/${skillId}/workflows/${other}/remediation`, { body: {} }))[0]).toBe(
      201,
    );
    expect(await tryIt('PUT', `/skills/${skillId}/workflows/${other}/main`, { body: {} })).toEqual([
      400,
      expect.any(String),
      expect.any(String),
    ]);
    expect((await tryIt('PUT', path, { body: { startMode: 'never' } }))[0]).toBe(400);

    expect(await tryIt('PATCH', `/workflows/${wfDefId}`, { body: { definition: calling(a, b) } })).toEqual([
      409,
      'workflow_tool_not_linked',
      `/do/1/call-${b}`,
    ]);
    const toolPath = `/skills/${skillId}/tools/${String(toolIds[0])}`;
    expect(await tryIt('DELETE', toolPath)).toEqual([409, 'workflow_tool_not_linked', `/do/0/call-${a}`]);

    const read = await server().api('GET', path);
    expect(read.body).toMatchObject({
      ...{ skillId, wfDefId, workflowRole: 'primary', startMode: 'agent', config, workflowActive: true },
      findings: [{ path: '', code: 'workflow_not_published' }],
    });
    await server().api('POST', `/workflows/${wfDefId}/publish`);
    expect((await server().api('POST', `/tools/${String(toolIds[0])}/deactivate`)).status).toBe(200);
    expect((await server().api('POST', `/workflows/${wfDefId}/deactivate`)).status).toBe(200);
    expect((await server().api('GET', path)).body).toMatchObject({
      findings: [
        { path: '', code: 'workflow_inactive' },
        { path: `/do/0/call-${a}`, code: 'workflow_tool_inactive' },
      ],
    });
    const list = await server().api<Listed>('GET', `/skills/${skillId}/workflows`);
    expect(list.body.items.map((item) => item['workflowRole']).sort()).toEqual(['primary', 'remediation']);
    expect((await tryIt('DELETE', path, { headers: { 'if-match': '"1"' } }))[0]).toBe(412);
    expect(await tryIt('DELETE', path)).toEqual([200, undefined]);
    expect(await tryIt('DELETE', path)).toEqual([404, 'not_found']);
    expect((await server().api('GET', path)).status).toBe(404);
    expect(await tryIt('DELETE', toolPath)).toEqual([200, undefined]);
    expect(await tryIt('PUT', `/skills/${nowhere}/workflows/${wfDefId}/test`, { body: {} })).toEqual([
      404,
      'not_found',
    ]);
    expect(await tryIt('PUT', `/skills/${skillId}/workflows/${nowhere}/test`, { body: {} })).toEqual([
      404,
      'not_found',
    ]);
  });

  it('is hit where a tool goes that it calls, or that a workflow calls which it runs', async () => {
    const [name, other] = [fresh('hit').replace('-', '_'), fresh('spared').replace('-', '_')];
    const { skillId, toolIds } = await linkedSkill(name, other);
    const [inner, outer] = [fresh('inner'), fresh('outer')];
    const calls = await workflow(calling(name), inner);
    const runs = await workflow(
      `do: [{it: {run: {workflow: {namespace: ops, name: ${inner}, version: 1.0.0}}}}]`,
      outer,
    );
    const again = await workflow(
      `do: [{it: {workflow: {wfDefId: ${runs}}}}, {odd: {workflow: {wfDefId: x}}}]`,
    );
    await workflow(`do: [{it: {run: {workflow: {namespace: ops, name: ${inner}, version: 0.9.0}}}}]`);
    const spared = await workflow(calling(other));
    for (const id of [calls, spared]) {
      expect((await tryIt('PUT', `/skills/${skillId}/workflows/${id}/test`, { body: {} }))[0]).toBe(201);
    }
    const hitBy = async (path: string): Promise<unknown> => {
      const { body } = await server().api<{ workflows: { wfDefId: string }[] }>('GET', `${path}/impact`);
      return body.workflows.map(({ wfDefId }) => wfDefId).sort();
    };
    expect(await hitBy(`/tools/${String(toolIds[0])}`)).toEqual([calls, runs, again].sort());
    expect(await hitBy(`/tools/${String(toolIds[1])}`)).toEqual([spared]);
    expect(await hitBy(`/skills/${skillId}`)).toEqual([calls, runs, again, spared].sort());
    const gone = await server().api<{ impact: { workflows: object[] } }>(
      'POST',
      `/tools/${String(toolIds[0])}/deactivate`,
    );
    expect(gone.body.impact.workflows).toContainEqual({
      ...{ wfDefId: calls, namespace: 'ops', name: inner, version: '1.0.0', skillIds: [skillId] },
    });
  });

  it('is classified, and found by it', async () => {
    const tagName = fresh('tag');
    const tagId = await made(server(), '/tags', { entityType: 'workflow', tagName });
    const id = await workflow();
    const path = `/workflows/${id}/taxonomy`;
    expect((await server().api('PUT', path, { body: { tagIds: [tagId] } })).status).toBe(200);
    expect((await server().api('GET', path)).body).toMatchObject({
      entityId: id,
      tags: [{ tagId, tagName }],
    });
    expect((await server().api('GET', `/workflows/${id}`)).body).toMatchObject({ tags: [tagName] });
    const found = await server().api<Listed>('GET', `/workflows?tag=${tagName}`);
    expect(found.body.items).toMatchObject([{ wfDefId: id }]);
  });

  it('asks for scopes, and shows narrowed tokens nothing that they are not to know', async () => {
    const name = fresh('t').replace('-', '_');
    const { skillId } = await linkedSkill(name);
    const [draft, published] = [await workflow(), await workflow(calling(name))];
    await server().api('POST', `/workflows/${published}/publish`);
    for (const id of [draft, published]) {
      expect((await tryIt('PUT', `/skills/${skillId}/workflows/${id}/test`, { body: {} }))[0]).toBe(201);
    }
    const reader = await server().token({ scope: 'catalog:read' });
    expect((await tryIt('GET', `/workflows/${draft}`, { token: reader }))[0]).toBe(200);
    expect((await tryIt('POST', `/workflows/${draft}/publish`, { token: reader }))[0]).toBe(403);
    const below = await server().token({ maxSensitivityTier: 'internal' });
    expect((await server().api('GET', `/workflows/${published}`, { token: below })).body).toMatchObject({
      definition: null,
      toolCalls: [],
    });

    await server().api('POST', '/apis', { body: { apiId: name, apiName: name } });
    const version = { apiVersion: '1', apiType: 'agent', serviceId: 'desk', envTag: 'dev' };
    const agentDefId = await made(server(), `/apis/${name}/versions`, version);
    const profile = { body: { maxSensitivityTier: 'restricted' } };
    expect((await server().api('PUT', `/agents/${agentDefId}`, profile)).status).toBeLessThan(300);
    await server().api('POST', `/agents/${agentDefId}/skills`, { body: { skills: [{ skillId }] } });
    const claims = { scope: 'catalog:read catalog:write', sid: 'desk', agent_def_id: agentDefId };
    const token = await server().token(claims);
    expect((await server().api<Listed>('GET', '/workflows', { token })).body.items).toEqual([]);
    for (const id of [draft, published]) {
      expect(await tryIt('GET', `/workflows/${id}`, { token })).toEqual([404, 'not_found']);
      expect(await tryIt('GET', `/workflows/${id}/taxonomy`, { token })).toEqual([404, 'not_found']);
      expect(await tryIt('POST', `/workflows/${id}/deactivate`, { token })).toEqual([404, 'not_found']);
      expect(await tryIt('PUT', `/skills/${skillId}/workflows/${id}/test`, { token, body: {} })).toEqual([
        404,
        'not_found',
      ]);
    }
    const seen = await server().api<Listed>('GET', `/skills/${skillId}/workflows`, { token });
    // Its catalog names both with the skill.
    expect(seen.body.items).toMatchObject([draft, published].map((wfDefId) => ({ wfDefId, findings: [] })));
    expect((await tryIt('GET', `/skills/${skillId}/workflows/${draft}/test`, { token }))[0]).toBe(200);
  });
});
