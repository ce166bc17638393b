import { eachServer } from './server.js';
import { fresh, guardsWorld } from './guards-world.js';

/** Specs that are pushed: the versions and tools that they become, and what is never written over. */

interface Pushed {
  readonly id: string;
  readonly toolVersion: string;
  readonly state: string;
  readonly outcome: string;
  readonly changed: boolean;
}

eachServer((server) => {
  const { ask, refusal, agentWith, catalogOf, approval, approve } = guardsWorld(server);
  const tokens = { author: '', reviewer: '' };
  beforeAll(async () => {
    const scope = 'catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
  });
  const override = { override: { reason: 'Looked at by hand.' } };
  /** With a comment, line ends of Windows and an order of members of its own, all of which stay. */
  const spec = (name: string, version = '0.0.1', more = '') =>
    [
      `name: ${name} # As models call it.`,
      `version: ${version}`,
      'description: Reads part of a file.',
      'host: duo_workflow_service',
      'inputSchema:',
      '  parameters:',
      '    - { name: file_path, description: The path of the file, type: string, required: true }',
      ...more.split('\n'),
    ].join('\r\n');
  const limit = '    - { name: limit, description: Bytes at most, type: integer, default: 2000 }';
  const push = (specText: string, more: object = {}) =>
    ask<Pushed>('POST', '/tools/specs', { specText, ...more }, tokens.author);
  const published = async (specText: string, token = tokens.author) => {
    const { id, toolVersion } = await ask<Pushed>('POST', '/tools/specs', { specText }, token);
    const path = `/tools/${id}/versions/${toolVersion}`;
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await approve(`${path}/approve`, override, tokens.reviewer);
    return { id, path };
  };

  it('makes a tool of an unknown name, with a draft that no agent is given although the host approves by itself', async () => {
    const [name, text] = [fresh('read_file'), spec(fresh('read_file'))];
    const made = await push(spec(name));
    expect(made).toMatchObject({ toolVersion: '0.0.1', state: 'draft', outcome: 'new_tool', changed: true });
    expect(await ask('GET', `/tools/${made.id}`)).toMatchObject({
      ...{
        name,
        version: '0.0.1',
        implementationType: 'service',
        implementationClass: 'duo_workflow_service',
      },
    });
    const agent = await agentWith([made.id]);
    expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['version_not_approved'] });
    const path = `/tools/${made.id}/versions/0.0.1`;
    expect(await approval(`${path}/approve`, override, tokens.reviewer)).toEqual([409, 'version_state']);
    await ask('POST', `/tools/${made.id}/changes/accept`, undefined, tokens.reviewer);
    await ask('POST', `${path}/submit`, {}, tokens.author);
    expect(await approval(`/tools/${made.id}/changes/accept`, undefined, tokens.reviewer)).toEqual([
      409,
      'evaluation_needed',
    ]);
    expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['version_not_approved'] });
    const other = await published(text);
    expect(await ask('GET', other.path)).toMatchObject({
      state: 'approved',
      specText: text,
      isPresent: true,
    });
  });

  it('answers title, owner and examples of a version as its spec says them, and of one that came without as the last before it', async () => {
    const name = fresh('read_file');
    const said = { title: 'Read a file', owner: 'files team', examples: [{ prompt: 'Show me main.rb.' }] };
    const lines = Object.entries(said).map(([member, value]) => `${member}: ${JSON.stringify(value)}`);
    const { id, path } = await published(`${spec(name)}${lines.join('\r\n')}\r\n`);
    expect(await ask('GET', path)).toMatchObject(said);
    await ask('PATCH', `/tools/${id}`, { description: 'Reads any part of a file.' }, tokens.author);
    expect(await ask('GET', `/tools/${id}/versions/0.0.2`)).toMatchObject({ specText: null, ...said });
    const bare = await push(spec(fresh('read_file')));
    expect(await ask('GET', `/tools/${bare.id}/versions/0.0.1`)).toMatchObject({
      title: expect.stringContaining('read_file') as string,
      ...{ owner: null, examples: [] },
    });
  });

  it('makes one tool where several push it at once', async () => {
    const text = spec(fresh('read_file'));
    const pushes = await Promise.all(Array.from({ length: 5 }, () => push(text)));
    expect(new Set(pushes.map(({ id }) => id)).size).toBe(1);
    expect(pushes.map(({ outcome }) => outcome).sort()).toEqual([
      'new_tool',
      ...Array<string>(4).fill('unchanged'),
    ]);
  });

  it('changes nothing where it comes again, and says what it would do', async () => {
    const name = fresh('read_file');
    const dry = await push(spec(name), { dryRun: true });
    expect(dry).toMatchObject({ outcome: 'new_tool', changed: true });
    const made = await push(spec(name));
    const again = await push(spec(name));
    expect(again).toMatchObject({ id: made.id, outcome: 'unchanged', changed: false, state: 'draft' });
    const next = await push(spec(name, '0.1.0', limit), { dryRun: true });
    expect(next).toMatchObject({ id: made.id, outcome: 'new_version', toolVersion: '0.1.0' });
    const { items } = await ask<{ items: object[] }>('GET', `/tools/${made.id}/versions`);
    expect(items).toHaveLength(1);
  });

  it('keeps what a version is evaluated by with its spec, byte for byte', async () => {
    const specText = spec(fresh('read_file'));
    const evalConfigText = '\ufeff# Of the desk.\r\nprompts: [{prompt: show me the file}]\r\n';
    const { id } = await push(specText, { evalConfigText });
    const path = `/tools/${id}/versions/0.0.1`;
    expect(await ask('GET', path)).toMatchObject({ specText, evalConfigText });
    expect(await push(specText, { evalConfigText })).toMatchObject({ outcome: 'unchanged' });
    const { evaluation } = await ask<{ evaluation: object }>('POST', `${path}/evaluate`, {}, tokens.author);
    expect(evaluation).toMatchObject({ asked: { config: 1 } });
    expect(await push(specText)).toMatchObject({ outcome: 'rewritten' });
    expect(await ask('GET', path)).toMatchObject({ evalConfigText: null, evaluation: null });
  });

  it('takes a file for a version that came without, where it says the same', async () => {
    const name = fresh('add');
    const inputSchema = { type: 'object', properties: { a: { type: 'number' } } };
    const script = { name, description: 'Adds.', implementationType: 'python', inputSchema };
    const { id } = await ask<{ id: string }>('POST', '/tools', script);
    const hints = 'annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false }\n';
    const file = `version: 1.0.0\nname: ${name}\ndescription: Adds.\ninputSchema: ${JSON.stringify(inputSchema)}\n${hints}`;
    expect(await push(file)).toMatchObject({ id, outcome: 'unchanged', state: 'approved' });
    const other = { specText: file.replace('Adds.', 'Adds two.') };
    expect(await refusal('POST', '/tools/specs', other, tokens.author)).toEqual([409, 'version_exists']);
  });

  it('writes a draft over, and nothing that was submitted', async () => {
    const name = fresh('read_file');
    const made = await push(spec(name));
    expect(await push(spec(name, '0.0.1', limit))).toMatchObject({ id: made.id, outcome: 'rewritten' });
    const path = `/tools/${made.id}/versions/0.0.1`;
    await ask('POST', `${path}/submit`, {}, tokens.author);
    const changed = { specText: spec(name) };
    expect(await refusal('POST', '/tools/specs', changed, tokens.author)).toEqual([409, 'version_exists']);
    expect(await push(spec(name, '0.0.1', limit))).toMatchObject({
      outcome: 'unchanged',
      state: 'in_review',
    });
    await ask('POST', `${path}/reject`, { reason: 'Too vague.' }, tokens.reviewer);
    const rejected = { specText: spec(name, '0.0.1', limit) };
    expect(await refusal('POST', '/tools/specs', rejected, tokens.author)).toEqual([409, 'version_exists']);
    expect(await ask('GET', path)).toMatchObject({ state: 'rejected', specText: rejected.specText });
  });

  it('gives agents the draft as it was written last, with the guards that an operator has set meanwhile', async () => {
    const name = fresh('read_file');
    const { id } = await push(spec(name));
    const rewritten = spec(name, '0.0.1', limit).replace('Reads part', 'Reads any part');
    await push(rewritten);
    await ask('PATCH', `/tools/${id}`, { routing: { sensitivityTier: 'confidential' } }, tokens.author);
    const path = `/tools/${id}/versions/0.0.1`;
    expect(await ask('GET', path)).toMatchObject({ state: 'draft', specText: rewritten });
    const schemas = { inputSchema: { type: 'object' } };
    expect(await refusal('PATCH', `/tools/${id}`, schemas, tokens.author)).toEqual([409, 'tool_has_spec']);
    await ask('POST', `${path}/submit`, {}, tokens.author);
    await approve(`${path}/approve`, override, tokens.reviewer);
    const { given } = await catalogOf(await agentWith([id]));
    expect(given).toMatchObject([
      {
        ...{ version: '0.0.1', description: 'Reads any part of a file.' },
        inputSchema: { properties: { limit: { default: 2000 } } },
        routingMetadata: { sensitivityTier: 'confidential' },
      },
    ]);
    expect(await ask('GET', path)).toMatchObject({ state: 'approved', specText: rewritten });
  });

  it('has texts of a spec that nobody has approved changed in the spec, where the host reviews them all', async () => {
    await ask('PUT', '/settings', { autoApprove: false });
    const { id } = await push(spec(fresh('read_file')));
    const said = { description: 'Reads everything.' };
    expect(await refusal('PATCH', `/tools/${id}`, said, tokens.author)).toEqual([409, 'tool_has_spec']);
    await ask('PUT', '/settings', { autoApprove: true });
  });

  it('holds the number of a version to what it changes of the one that agents have', async () => {
    const name = fresh('read_file');
    await published(spec(name, '0.1.0', limit));
    const breaking = { specText: spec(name, '0.2.0', limit.replace('integer, default: 2000', 'string')) };
    expect(await refusal('POST', '/tools/specs', breaking, tokens.author)).toEqual([
      400,
      'version_too_small',
    ]);
    expect(await push(breaking.specText.replace('0.2.0', '1.0.0'))).toMatchObject({ outcome: 'new_version' });
  });

  it('refuses what it can’t read, with the line, and what holds a secret', async () => {
    const name = fresh('read_file');
    const bad = spec(name).replace('type: string', 'type: text');
    const { body, status } = await server().api<{ code: string; errors: object[] }>('POST', '/tools/specs', {
      body: { specText: bad },
    });
    expect([status, body.code, body.errors]).toEqual([
      400,
      'invalid_spec',
      [{ pointer: '/inputSchema/parameters/0/type', detail: expect.stringMatching(/^line 7: /) as string }],
    ]);
    const config = { specText: spec(name), evalConfigText: 'prompts: []\n' };
    expect(await refusal('POST', '/tools/specs', config)).toEqual([400, 'invalid_eval_config']);
    const statuses: unknown[] = [];
    for (const odd of [
      '"a\\0b"',
      '"a\\ud800b"',
      '&a [*a]',
      '!!js/function x',
      '{ __proto__: {} }',
      '# \0',
      '# \ud800',
    ]) {
      const specText = spec(name).replace('Reads part of a file.', odd);
      statuses.push((await refusal('POST', '/tools/specs', { specText }))[0]);
    }
    // What is no character is replaced where it is escaped, and refused where it stands as it is.
    expect(statuses).toEqual([200, 200, 400, 400, 400, 400, 400]);
    const evalConfigText = 'prompts: [{ prompt: x }] # \0\n';
    expect((await refusal('POST', '/tools/specs', { specText: spec(name), evalConfigText }))[0]).toBe(400);
    const secret = spec(name, '0.0.1', '# AKIAIOSFODNN7EXAMPLQ');
    expect(await refusal('POST', '/tools/specs', { specText: secret })).toEqual([400, 'secret_in_body']);
  });

  it('does not guess which of several tools of a name is meant', async () => {
    const name = fresh('read_file');
    for (const envTag of ['dev', 'test']) {
      const document = {
        openapi: '3.1.0',
        info: { title: 'F', version: '1' },
        paths: { '/f': { get: { operationId: name, summary: 'Reads.', responses: {} } } },
      };
      const api = {
        api: { apiId: fresh('files') },
        version: { apiVersion: '1', serviceId: 'duo_workflow_service', envTag },
      };
      const token = await server().token({
        env: ['dev', 'test'],
        scope: 'catalog:write catalog:all-services',
      });
      await ask('POST', '/imports', { ...api, document, publish: true }, token);
    }
    const both = await server().token({ env: ['dev', 'test'], scope: 'catalog:write catalog:all-services' });
    expect(await refusal('POST', '/tools/specs', { specText: spec(name) }, both)).toEqual([
      409,
      'tool_ambiguous',
    ]);
  });

  it('raises its number as far as a flag asks for that turns, whichever way it is written', async () => {
    const name = fresh('read_file');
    const harmless = 'annotations: { readOnlyHint: true }';
    const { id } = await published(spec(name, '1.0.0', harmless), await server().token());
    const draft = {
      ...{ version: '1.1.0', description: 'Reads part of a file.', safety: { readOnly: false } },
      inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
    };
    const path = `/tools/${id}/versions`;
    expect(await refusal('POST', path, draft, tokens.author)).toEqual([400, 'version_too_small']);
    expect(await refusal('POST', '/tools/specs', { specText: spec(name, '1.1.0') }, tokens.author)).toEqual([
      400,
      'version_too_small',
    ]);
    await ask('POST', path, { ...draft, version: '2.0.0' }, tokens.author);
  });

  it('need not raise its number for what somebody has accepted, until the day that they said', async () => {
    const name = fresh('read_file');
    const { id } = await published(spec(name, '1.0.0', limit));
    const specText = spec(name, '1.1.0', limit.replace('default: 2000', 'required: true'));
    const accepting = (expires: string) => ({
      ...{ version: '1.1.0', rule: 'input.required.narrower', pointer: '/inputSchema', expires },
      ...{ reason: 'Nobody leaves it out.', approver: 'Grace' },
    });
    const pushing = (accepted?: object[]) =>
      refusal('POST', '/tools/specs', { specText, accepted }, tokens.author);
    expect(await pushing()).toEqual([400, 'version_too_small']);
    expect(await pushing([accepting('2020-01-31')])).toEqual([400, 'version_too_small']);
    expect(await pushing([{ ...accepting('2999-01-31'), pointer: '/outputSchema' }])).toEqual([
      400,
      'version_too_small',
    ]);
    const unused = { ...accepting('2999-01-31'), rule: 'output.type.wider' };
    await push(specText, { accepted: [accepting('2999-01-31'), unused] });
    const path = `/tools/${id}/versions/1.1.0`;
    const kept = [accepting('2999-01-31')];
    expect(await ask('GET', path)).toMatchObject({ accepted: kept });
    const report = await ask<{ findings: { rule: string; accepted?: object }[] }>('GET', `${path}/report`);
    expect(report).toMatchObject({ numberFault: null, grade: 'breaking' });
    expect(report.findings.flatMap(({ accepted }) => accepted ?? [])).toMatchObject(kept);
    // Whom the author names is not asked: who approves says so, and has written none of it.
    await ask('POST', `${path}/submit`, {}, tokens.author);
    const { digest } = await ask<{ digest: string }>('GET', path);
    const approval = { ...override, digest };
    const approving = (body: object, token: string) => refusal('POST', `${path}/approve`, body, token);
    expect(await approving({ ...approval, acceptsFindings: true }, tokens.author)).toEqual([
      409,
      'own_version',
    ]);
    expect(await approving(approval, tokens.reviewer)).toEqual([409, 'findings_not_accepted']);
    expect(await ask('GET', `${path}/report`)).toMatchObject({
      missing: expect.arrayContaining([expect.stringContaining('input.required.narrower at /inputSchema')]),
    });
    expect(await approving({ ...approval, acceptsFindings: true }, tokens.reviewer)).toEqual([
      200,
      undefined,
    ]);
  });
});
