import { eachServer } from './server.js';
import { fresh, guardsWorld, openapi, override, poison } from './guards-world.js';

/** Who may approve a version, and that agents are given what was looked at. */

interface Version {
  readonly digest: string;
  readonly authors: readonly string[];
}

eachServer((server) => {
  const { ask, refusal, bring, toolOf, agentWith, catalogOf, approval, approve } = guardsWorld(server);
  const tokens = { ada: '', bob: '', grace: '' };
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    for (const sub of ['ada', 'bob', 'grace'] as const) tokens[sub] = await server().token({ sub, scope });
  });
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where the file lies.' } },
  };
  const made = async (token = tokens.ada) => {
    const body = {
      name: fresh('readFile'),
      implementationType: 'python',
      description: 'Reads a file.',
      inputSchema,
    };
    return (await ask<{ id: string }>('POST', '/tools', body, token)).id;
  };
  const evalConfig = { prompts: [{ prompt: 'read a file' }], thresholds: {} };
  const draft = (toolId: string, version: string, description: string, token: string) =>
    ask('POST', `/tools/${toolId}/versions`, { version, description, inputSchema, evalConfig }, token);
  const at = (toolId: string, version: string) => `/tools/${toolId}/versions/${version}`;
  const submit = (toolId: string, version: string) =>
    ask('POST', `${at(toolId, version)}/submit`, {}, tokens.ada);
  const evaluate = (toolId: string, version: string) =>
    ask('POST', `${at(toolId, version)}/evaluate`, {}, tokens.ada);
  const seen = (toolId: string, version: string) => ask<Version>('GET', at(toolId, version));
  const approving = (toolId: string, version: string, token: string, body: object = {}) =>
    approval(`${at(toolId, version)}/approve`, body, token);
  const own = [409, 'own_version'];

  it('lets no one approve who has written on a version, whoever wrote last', async () => {
    const toolId = await made();
    await draft(toolId, '1.1.0', 'Reads one text file and answers what stands in it.', tokens.ada);
    await draft(toolId, '1.1.0', 'Reads a single text file and answers what stands in it.', tokens.bob);
    await submit(toolId, '1.1.0');
    await evaluate(toolId, '1.1.0');
    expect(await seen(toolId, '1.1.0')).toMatchObject({ author: 'bob', authors: ['ada', 'bob'] });
    expect(await approving(toolId, '1.1.0', tokens.ada)).toEqual(own);
    expect(await approving(toolId, '1.1.0', tokens.bob)).toEqual(own);
    const { missing } = await ask<{ missing: string[] }>(
      'GET',
      `${at(toolId, '1.1.0')}/report`,
      undefined,
      tokens.ada,
    );
    expect(missing).toEqual(['was written by ada and bob: somebody else approves it']);
    await approve(`${at(toolId, '1.1.0')}/approve`, {}, tokens.grace);
  });

  it('lets no token submit, reject or approve that names nobody, and who submits what nobody has written is its author', async () => {
    const scope = 'catalog:read catalog:write catalog:approve catalog:admin catalog:all-services';
    const nobody = await server().token({ sub: undefined, client_id: 'ci', scope });
    const nameless = [403, 'subject_needed'];
    const toolId = await made();
    await draft(toolId, '1.1.0', 'Reads one text file and answers what stands in it.', nobody);
    const path = at(toolId, '1.1.0');
    expect(await refusal('POST', `${path}/submit`, {}, nobody)).toEqual(nameless);
    await submit(toolId, '1.1.0');
    const { digest } = await seen(toolId, '1.1.0');
    expect(await approving(toolId, '1.1.0', nobody, override)).toEqual(nameless);
    expect(await refusal('POST', `${path}/reject`, { reason: 'No.' }, nobody)).toEqual(nameless);
    for (const [verb, body] of [
      ['submit', {}],
      ['approve', { ...override, digest }],
      ['reject', { reason: 'No.' }],
    ] as const)
      expect(
        await refusal(
          'POST',
          `/agent/commands/${verb}_tool_version`,
          { toolId, version: '1.1.0', ...body },
          nobody,
        ),
      ).toEqual(nameless);
    await evaluate(toolId, '1.1.0');
    expect(await seen(toolId, '1.1.0')).toMatchObject({ author: '', authors: ['', 'ada'] });
    expect(await approving(toolId, '1.1.0', nobody)).toEqual(nameless);
    expect(await approving(toolId, '1.1.0', tokens.ada)).toEqual(own);
    const { missing } = await ask<{ missing: string[] }>('GET', `${path}/report`, undefined, nobody);
    expect(missing).toContain('needs a token that names somebody: its claim sub is missing');
    await approve(`${path}/approve`, override, tokens.grace);
  });

  it('lets no token accept what a document brings that names nobody', async () => {
    const [apiId, op] = [fresh('rules'), fresh('op')];
    const taking = (name: string) =>
      openapi({ [op]: { parameters: [{ name, in: 'query', required: true, schema: {} }] } });
    await bring(apiId, taking('day'), { publish: true }, tokens.grace);
    const { toolId } = await toolOf(apiId);
    await bring(apiId, taking('week'), {}, tokens.ada);
    const scope = 'catalog:write catalog:approve catalog:admin catalog:all-services';
    const nobody = await server().token({ sub: undefined, client_id: 'ci', scope });
    expect(await refusal('POST', `/tools/${toolId}/changes/accept`, override, nobody)).toEqual([
      403,
      'subject_needed',
    ]);
    await approve(`/tools/${toolId}/changes/accept`, override, tokens.grace);
  });

  it('counts who wrote the version that was rejected, where another writes it again', async () => {
    const toolId = await made();
    await draft(toolId, '1.1.0', 'Reads one text file and answers what stands in it.', tokens.ada);
    await submit(toolId, '1.1.0');
    await ask('POST', `${at(toolId, '1.1.0')}/reject`, { reason: 'Not now.' }, tokens.bob);
    await draft(toolId, '1.1.1', 'Reads one text file and answers what stands in it.', tokens.bob);
    await submit(toolId, '1.1.1');
    await evaluate(toolId, '1.1.1');
    expect(await approving(toolId, '1.1.1', tokens.ada)).toEqual(own);
    expect(await approving(toolId, '1.1.1', tokens.bob)).toEqual(own);
    await approve(`${at(toolId, '1.1.1')}/approve`, override, tokens.grace);
    // What follows what was approved begins anew.
    await draft(toolId, '1.1.2', 'Reads one whole text file and answers what stands in it.', tokens.bob);
    expect(await seen(toolId, '1.1.2')).toMatchObject({ authors: ['bob'] });
  });

  it('counts who changes by a text of an operator what waits, and asks for another evaluation', async () => {
    const toolId = await made();
    const agent = await agentWith([toolId]);
    await draft(toolId, '1.1.0', 'Reads one text file and answers what stands in it.', tokens.ada);
    await submit(toolId, '1.1.0');
    await evaluate(toolId, '1.1.0');
    const { digest } = await seen(toolId, '1.1.0');
    await ask(
      'PATCH',
      `/tools/${toolId}`,
      { description: 'Reads each text file and answers what stands in it.' },
      tokens.bob,
    );
    const now = await seen(toolId, '1.1.0');
    expect(now).toMatchObject({
      authors: ['ada', 'bob'],
      content: { description: 'Reads each text file and answers what stands in it.' },
    });
    expect(now.digest).not.toBe(digest);
    expect(await approving(toolId, '1.1.0', tokens.bob)).toEqual(own);
    expect(await approving(toolId, '1.1.0', tokens.grace)).toEqual([409, 'evaluation_needed']);
    expect(await approving(toolId, '1.1.0', tokens.grace, { ...override, digest })).toEqual([
      409,
      'version_changed',
    ]);
    await evaluate(toolId, '1.1.0');
    await ask('POST', `${at(toolId, '1.1.0')}/approve`, { digest: now.digest }, tokens.grace);
    expect((await catalogOf(agent)).given).toMatchObject([
      { version: '1.1.0', description: 'Reads each text file and answers what stands in it.' },
    ]);
    expect((await seen(toolId, '1.1.0')).digest).toBe(now.digest);
  });

  it('approves what was read and nothing else: by the digest that the report shows, also with an override', async () => {
    const toolId = await made();
    await draft(toolId, '1.1.0', 'Reads one text file and answers what stands in it.', tokens.ada);
    await submit(toolId, '1.1.0');
    const path = `${at(toolId, '1.1.0')}/approve`;
    const { digest } = await ask<Version>('GET', `${at(toolId, '1.1.0')}/report`);
    for (const body of [{}, override, undefined])
      expect((await refusal('POST', path, body, tokens.grace))[0]).toBe(400);
    const other = { ...override, digest: 'b0'.repeat(32) };
    expect(await refusal('POST', path, other, tokens.grace)).toEqual([409, 'version_changed']);
    expect(await refusal('POST', path, { ...override, digest }, tokens.grace)).toEqual([200, undefined]);
  });

  it('accepts a change with the version that waits where its digest is named, and says which, and where it is shown', async () => {
    const [apiId, op] = [fresh('rules'), fresh('op')];
    const saying = (summary: string, ...names: string[]) =>
      openapi({
        [op]: {
          summary,
          parameters: names.map((name) => ({ name, in: 'query', required: true, schema: {} })),
        },
      });
    await bring(apiId, saying('Does it.'), { publish: true }, tokens.ada);
    const { toolId } = await toolOf(apiId);
    const accept = `/tools/${toolId}/changes/accept`;
    // What is marked but given to agents already waits for no approval.
    await bring(apiId, saying('Does it well.'), {}, tokens.ada);
    expect(await refusal('POST', accept, undefined, tokens.grace)).toEqual([200, undefined]);
    await bring(apiId, saying('Does it well.', 'day'), {}, tokens.ada);
    const writer = await server().token({ sub: 'wim', scope: 'catalog:write catalog:all-services' });
    expect(await refusal('POST', accept, undefined, writer)).toEqual([403, 'insufficient_scope']);
    for (const body of [undefined, {}, override]) {
      const answer = await server().api('POST', accept, { token: tokens.grace, ...(body && { body }) });
      const detail =
        `Version 2.0.0 of ${op} waits and is approved with it: name the digest that its report shows, ` +
        `GET …/tools/${toolId}/versions/2.0.0/report.`;
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_body', detail, errors: [{ pointer: '/digest', detail }] },
      });
    }
    const other = { ...override, digest: 'b0'.repeat(32) };
    expect(await refusal('POST', accept, other, tokens.grace)).toEqual([409, 'version_changed']);
    const { digest } = await ask<Version>('GET', `${at(toolId, '2.0.0')}/report`);
    expect(await refusal('POST', accept, { ...override, digest }, tokens.grace)).toEqual([200, undefined]);
    expect(await toolOf(apiId)).toMatchObject({ version: '2.0.0', changed: false });
  });

  it('counts all by whom a version came that a document brings, and takes an acceptance for what was looked at', async () => {
    const [apiId, op] = [fresh('rules'), fresh('op')];
    const taking = (name: string) =>
      openapi({ [op]: { parameters: [{ name, in: 'query', required: true, schema: {} }] } });
    await bring(apiId, taking('day'), { publish: true }, tokens.grace);
    const { toolId } = await toolOf(apiId);
    await bring(apiId, taking('week'), {}, tokens.ada);
    const { digest } = await seen(toolId, '2.0.0');
    await bring(apiId, taking('month'), {}, tokens.bob);
    const accept = (token: string, body: object) =>
      refusal('POST', `/tools/${toolId}/changes/accept`, body, token);
    // Each number stands for one content: what the document says now waits under the next.
    const now = await seen(toolId, '2.0.1');
    expect(await accept(tokens.ada, { digest: now.digest })).toEqual(own);
    expect(await accept(tokens.grace, { ...override, digest })).toEqual([409, 'version_changed']);
    expect(now).toMatchObject({ authors: ['ada', 'bob'] });
    await ask('POST', `/tools/${toolId}/changes/accept`, { ...override, digest: now.digest }, tokens.grace);
    expect(await accept(tokens.grace, { digest: now.digest })).toEqual([409, 'version_changed']);
  });

  it('takes no secret and, from who is no administrator, no text for the model where nobody reviews it', async () => {
    const toolId = await made();
    const secret = `Key ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const path = at(toolId, '1.0.0');
    const deprecating = (message: string, token: string) =>
      refusal('POST', `${path}/deprecate`, { on: '2099-01-01', message }, token);
    expect(await deprecating(poison, tokens.ada)).toEqual([403, 'insufficient_scope']);
    expect(await deprecating(secret, tokens.ada)).toEqual([400, 'secret_in_body']);
    expect(await deprecating('Take 2.0.0.', tokens.ada)).toEqual([200, undefined]);
    const secretly = { reason: secret };
    expect(await refusal('POST', `${path}/retire`, secretly, tokens.ada)).toEqual([400, 'secret_in_body']);
    await draft(toolId, '1.1.0', 'Reads one text file and answers what stands in it.', tokens.ada);
    await submit(toolId, '1.1.0');
    const waiting = at(toolId, '1.1.0');
    for (const [verb, body] of [
      ['reject', secretly],
      ['approve', { override: secretly, digest: 'b0'.repeat(32) }],
    ] as const)
      expect(await refusal('POST', `${waiting}/${verb}`, body, tokens.grace)).toEqual([
        400,
        'secret_in_body',
      ]);
  });

  it('leaves what prompts find to those who may approve, where the host approves nothing by itself', async () => {
    const toolId = await made();
    const writer = await server().token({ sub: 'wim', scope: 'catalog:write catalog:all-services' });
    const prompts = ['show me the file'];
    const teach = (token: string) =>
      refusal('POST', '/tools/examples', { items: [{ toolId, prompts }], mode: 'replace' }, token);
    const patch = (token: string) =>
      refusal('PATCH', `/tools/${toolId}`, { examplePrompts: ['open it'] }, token);
    expect(await teach(writer)).toEqual([200, undefined]);
    await ask('PUT', '/settings', { autoApprove: false });
    expect(await teach(writer)).toEqual([403, 'insufficient_scope']);
    expect(await patch(writer)).toEqual([403, 'insufficient_scope']);
    expect(await patch(tokens.grace)).toEqual([200, undefined]);
    await ask('PUT', '/settings', { autoApprove: true });
  });

  it('keeps an override in sight for good, and in the list', async () => {
    const toolId = await made();
    await draft(toolId, '1.1.0', 'Reads one text file and answers what stands in it.', tokens.ada);
    await submit(toolId, '1.1.0');
    await approve(`${at(toolId, '1.1.0')}/approve`, override, tokens.ada);
    await ask('POST', `${at(toolId, '1.1.0')}/retire`, { reason: 'No use.' }, tokens.bob);
    const shown = { override: { ...override.override, by: 'ada' } };
    expect(await ask('GET', at(toolId, '1.1.0'))).toMatchObject({
      ...shown,
      review: { by: 'bob', reason: 'No use.' },
    });
    expect(await ask('GET', `${at(toolId, '1.1.0')}/report`)).toMatchObject(shown);
    expect(await ask('GET', `/tools/${toolId}/versions`)).toMatchObject({
      items: [shown, { override: null }],
    });
  });

  it('judges a number by what is approved when it is', async () => {
    const toolId = await made();
    await draft(toolId, '1.2.0', 'Reads one text file and answers what stands in it.', tokens.ada);
    await submit(toolId, '1.2.0');
    const extended = { type: 'object', properties: { ...inputSchema.properties, from: { type: 'integer' } } };
    const body = {
      version: '1.1.0',
      description: 'Reads one part of a text file and answers what stands in it.',
      inputSchema: extended,
    };
    await ask('POST', `/tools/${toolId}/versions`, body, tokens.ada);
    await submit(toolId, '1.1.0');
    await approve(`${at(toolId, '1.1.0')}/approve`, override, tokens.grace);
    await evaluate(toolId, '1.2.0');
    expect(await approving(toolId, '1.2.0', tokens.grace)).toEqual([409, 'version_too_small']);
    await approve(`${at(toolId, '1.2.0')}/approve`, override, tokens.grace);
  });
});
