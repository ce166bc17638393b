import { eachServer } from './server.js';
import { fresh, guardsWorld, override, poison } from './guards-world.js';

/** What a reviewer is told of a version before it is decided on. */

interface Report {
  readonly findings: readonly { rule: string; grade: string; pointer: string }[];
  readonly prompts: {
    readonly worse: readonly object[];
    readonly confusions: { readonly now: readonly object[] };
  };
}

eachServer((server) => {
  const { ask, refusal, approve } = guardsWorld(server);
  const name = fresh('findAccount');
  const other = fresh('listPayments');
  const tokens = { author: '', reviewer: '' };
  const ids = { tool: '', skill: '' };
  const at = (version: string) => `/tools/${ids.tool}/versions/${version}`;
  const report = (version: string, token?: string) =>
    ask<Report>('GET', `${at(version)}/report`, undefined, token);
  const schema = (more: object = {}) => ({
    type: 'object',
    properties: { account: { type: 'string', description: 'Its number.' } },
    ...more,
  });

  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
    const make = async (toolName: string, description: string) => {
      const body = { name: toolName, description, inputSchema: schema(), implementationType: 'python' };
      return (await ask<{ id: string }>('POST', '/tools', body, tokens.author)).id;
    };
    ids.tool = await make(name, 'Finds an account by its number.');
    await make(other, 'Lists payments between people.');
    const skill = { name: fresh('Reports '), contentMarkdown: 'Do.' };
    ids.skill = (await ask<{ id: string }>('POST', '/skills', skill)).id;
    await ask('PUT', `/skills/${ids.skill}/tools/${ids.tool}`, {});
    const rows = [
      { prompt: 'payments between people', expect: [other] },
      { prompt: 'find an account', expect: [name] },
    ];
    await ask('PUT', '/evaluation-sets/reports', { rows });
  });

  it('says what breaks, which texts differ, what is missing, and whom it moves', async () => {
    const description = 'Lists payments between people, payments, people.';
    const inputSchema = schema({ required: ['account'] });
    await ask(
      'POST',
      `/tools/${ids.tool}/versions`,
      { version: '2.0.0', description, inputSchema },
      tokens.author,
    );
    const before = await report('2.0.0', tokens.reviewer);
    expect(before).toMatchObject({
      ...{ name, toolVersion: '2.0.0', state: 'draft', author: 'ada', override: null },
      ...{ against: '1.0.0', grade: 'breaking', numberFault: null, missing: ['has not been evaluated'] },
      texts: [{ pointer: '/description', before: 'Finds an account by its number.', after: description }],
      schemas: { input: { before: schema(), after: inputSchema } },
      ...{ evaluation: null, prompts: null },
      // The link keeps to the major that it was made with.
      impact: { skills: [], agents: [], gateways: [] },
    });
    expect(before.findings[0]).toMatchObject({ grade: 'breaking', pointer: '/inputSchema' });
    await ask('POST', `${at('2.0.0')}/evaluate`, {}, tokens.author);
    const after = await report('2.0.0', tokens.reviewer);
    expect(after).toMatchObject({
      missing: ['has not passed its evaluation'],
      evaluation: { passed: false, against: '1.0.0', metrics: { hitAt1: { before: 1 } } },
    });
    expect(after.prompts.worse).toContainEqual(
      expect.objectContaining({ prompt: 'payments between people', first: { before: other, now: name } }),
    );
    expect(after.prompts.confusions.now).toContainEqual(
      expect.objectContaining({ expected: other, found: name }),
    );
    // Prompts of a run are for those with the rights of who ran it.
    const elsewhere = await server().token({ env: 'test', scope: 'catalog:read catalog:all-services' });
    expect(await report('2.0.0', elsewhere)).toMatchObject({ evaluation: { passed: false }, prompts: null });
  });

  it('names the skills that a patch moves', async () => {
    const body = { version: '1.0.1', description: 'Finds one account by its number.', inputSchema: schema() };
    await ask('POST', `/tools/${ids.tool}/versions`, body, tokens.author);
    expect(await report('1.0.1')).toMatchObject({
      ...{ against: '1.0.0', grade: 'text' },
      impact: { skills: [{ skillId: ids.skill, range: '^1', from: '1.0.0', to: '1.0.1' }] },
    });
  });

  it('names the skills that are left without a version where earlier ones can be called no more', async () => {
    const apiId = fresh('light');
    const brought = (endpoint: string) =>
      ask(
        'POST',
        '/imports',
        {
          api: { apiId },
          version: { apiVersion: '1', apiType: 'lightapi', serviceId: 'shop', envTag: 'dev' },
          document: {
            ...{ lightapi: '0.1.0', sources: {}, info: { title: 'Shop', namespace: 'shop', version: '1' } },
            operations: {
              [apiId]: {
                endpointId: `shop/${apiId}`,
                protocol: 'http',
                method: 'post',
                endpoint,
                description: 'Does it.',
              },
            },
          },
          publish: true,
        },
        tokens.author,
      );
    await brought('/a');
    const { items } = await ask<{ items: { toolId: string }[] }>('GET', `/tools?apiId=${apiId}`);
    const toolId = items[0]?.toolId ?? '';
    for (const [skill, range] of [
      [`${apiId} exact`, '1.0.0'],
      [`${apiId} major`, '^1'],
    ] as const) {
      const { id } = await ask<{ id: string }>('POST', '/skills', { name: skill, contentMarkdown: 'Do.' });
      await ask('PUT', `/skills/${id}/tools/${toolId}`, { range });
    }
    await brought('/b');
    expect(await ask('GET', `/tools/${toolId}/versions/1.0.1/report`)).toMatchObject({
      state: 'in_review',
      impact: {
        skills: [
          { skillName: `${apiId} exact`, from: '1.0.0', to: null },
          { skillName: `${apiId} major`, from: '1.0.0', to: '1.0.1' },
        ],
      },
    });
    await approve(`/tools/${toolId}/versions/1.0.1/approve`, override, tokens.reviewer);
    const versions = await ask<{ items: { version: string; state: string }[] }>(
      'GET',
      `/tools/${toolId}/versions`,
    );
    expect(versions.items.map(({ version, state }) => [version, state])).toEqual([
      ['1.0.1', 'approved'],
      ['1.0.0', 'retired'],
    ]);
  });

  it('says what keeps the one who asks from approving it', async () => {
    const missing = async (version: string, token: string) =>
      (await ask<{ missing: string[] }>('GET', `${at(version)}/report`, undefined, token)).missing;
    const reader = await server().token({ sub: 'joan', scope: 'catalog:read catalog:all-services' });
    expect(await missing('1.0.1', reader)).toEqual([
      'needs somebody with the scope catalog:approve',
      'has not been evaluated',
    ]);
    expect(await missing('1.0.1', tokens.author)).toEqual([
      'was written by ada: somebody else approves it',
      'has not been evaluated',
    ]);
    expect(await missing('1.0.1', tokens.reviewer)).toEqual(['has not been evaluated']);
    const poisoned = { version: '1.0.2', description: poison, inputSchema: schema() };
    await ask('POST', `/tools/${ids.tool}/versions`, poisoned, tokens.author);
    expect(await missing('1.0.2', tokens.reviewer)).toEqual([
      'brings what is suspicious, and needs somebody with the scope catalog:admin',
      'has not been evaluated',
    ]);
  });

  it('shows an override, and no impact of what is decided', async () => {
    await ask('POST', `${at('2.0.0')}/submit`, {}, tokens.author);
    await approve(`${at('2.0.0')}/approve`, override, tokens.author);
    expect(await report('2.0.0')).toMatchObject({
      ...{
        state: 'approved',
        missing: ['was written by ada: somebody else approves it', 'has not passed its evaluation'],
        override: { ...override.override, by: 'ada', at: expect.any(String) as string },
      },
      impact: { skills: [], agents: [], gateways: [] },
    });
  });

  it('stays as who decided saw it, whatever comes after', async () => {
    const draft = (version: string, description: string) =>
      ask(
        'POST',
        `/tools/${ids.tool}/versions`,
        { version, description, inputSchema: schema() },
        tokens.author,
      );
    const submit = (version: string) => ask('POST', `${at(version)}/submit`, {}, tokens.author);
    await draft('4.0.0', 'Finds one account by its number, or says that there is none.');
    await submit('4.0.0');
    const seen = await report('4.0.0', tokens.reviewer);
    expect(seen).toMatchObject({ state: 'in_review', missing: ['has not been evaluated'], reach: null });
    const said = await approve(`${at('4.0.0')}/approve`, override, tokens.reviewer);
    expect(said).toMatchObject({ state: 'approved' });
    const decided = {
      ...{ ...seen, state: 'approved', impact: { skills: [], agents: [], gateways: [] } },
      // Kinds of what is missing are for who decides.
      needs: [],
      override: { reason: override.override.reason, by: 'grace', at: expect.any(String) as string },
      reach: { skills: 0, agents: 0, gateways: 0 },
    };
    expect(await report('4.0.0')).toEqual(decided);
    await draft('4.0.1', 'Finds one account.');
    await submit('4.0.1');
    await approve(`${at('4.0.1')}/approve`, override, tokens.reviewer);
    await ask('POST', `${at('4.0.0')}/retire`, { reason: 'Not needed.' });
    expect(await report('4.0.0')).toEqual({ ...decided, state: 'retired' });
    await draft('4.0.2', 'Finds them.');
    const refused = await report('4.0.2');
    await ask('POST', `${at('4.0.2')}/reject`, { reason: 'Too little.' }, tokens.reviewer);
    expect(await report('4.0.2')).toMatchObject({
      ...{ state: 'rejected', against: '4.0.1', texts: (refused as { texts?: object }).texts },
      missing: ['has not been evaluated'],
    });
  });

  it('knows no version that is not there, and is not for a narrowed token', async () => {
    expect(await refusal('GET', `${at('9.0.0')}/report`)).toEqual([404, 'not_found']);
    const confined = await server().token({ agent_def_id: ids.tool });
    expect(await refusal('GET', `${at('2.0.0')}/report`, undefined, confined)).toEqual([
      403,
      'confined_token',
    ]);
  });
});
