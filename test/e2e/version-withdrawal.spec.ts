import { eachServer } from './server.js';
import { fresh, guardsWorld, openapi, override } from './guards-world.js';

/** Who wrote a version takes it back before anybody has approved it. */

interface Version {
  readonly version: string;
  readonly state: string;
  readonly review: object | null;
}

eachServer((server) => {
  const { ask, refusal, approve, bring, toolOf } = guardsWorld(server);
  const tokens = { ada: '', bob: '', grace: '' };
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:all-services';
    for (const sub of ['ada', 'bob'] as const) tokens[sub] = await server().token({ sub, scope });
    tokens.grace = await server().token({ sub: 'grace', scope: `${scope} catalog:approve` });
  });
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where the file lies.' } },
  };
  const made = async () => {
    const script = { implementationType: 'python', description: 'Reads a file.', inputSchema };
    return (await ask<{ id: string }>('POST', '/tools', { name: fresh('readFile'), ...script }, tokens.grace))
      .id;
  };
  const at = (toolId: string, version: string) => `/tools/${toolId}/versions/${version}`;
  const draft = (toolId: string, version: string, token: string) =>
    ask(
      'POST',
      `/tools/${toolId}/versions`,
      { version, description: `Reads one text file, as ${version} does.`, inputSchema },
      token,
    );
  const withdraw = (path: string, token: string, body: object = {}) =>
    ask('POST', `${path}/withdraw`, body, token);
  const refused = (path: string, token: string) => refusal('POST', `${path}/withdraw`, {}, token);

  it('takes an own draft and an own version in review back, for good, without catalog:approve', async () => {
    const toolId = await made();
    await draft(toolId, '1.1.0', tokens.ada);
    expect(await withdraw(at(toolId, '1.1.0'), tokens.ada)).toMatchObject({ state: 'rejected' });
    await draft(toolId, '1.2.0', tokens.ada);
    await ask('POST', `${at(toolId, '1.2.0')}/submit`, {}, tokens.bob);
    const reason = 'It reads too much.';
    const answer = await withdraw(at(toolId, '1.2.0'), tokens.ada, { reason });
    expect(answer).toMatchObject({ toolVersion: '1.2.0', state: 'rejected', changed: true });
    expect(await ask<Version>('GET', at(toolId, '1.2.0'))).toMatchObject({
      state: 'rejected',
      review: { by: 'ada', reason, withdrawn: true },
    });
    expect(await ask('GET', `/tools/${toolId}`)).toMatchObject({ version: '1.0.0', inReview: [] });
    const again = { version: '1.2.0', description: 'Reads.', inputSchema };
    const path = `/tools/${toolId}/versions`;
    expect(await refusal('POST', path, again, tokens.ada)).toEqual([409, 'version_exists']);
    expect(await refused(at(toolId, '1.2.0'), tokens.ada)).toEqual([409, 'version_state']);
    await draft(toolId, '1.3.0', tokens.ada);
  });

  it('leaves what somebody else wrote last to them, and to who may reject it', async () => {
    const toolId = await made();
    await draft(toolId, '1.1.0', tokens.ada);
    const notOwn = [403, 'not_own_version'];
    expect(await refused(at(toolId, '1.1.0'), tokens.bob)).toEqual(notOwn);
    expect(await refused(at(toolId, '1.1.0'), tokens.grace)).toEqual(notOwn);
    const asCommand = { toolId, version: '1.1.0' };
    const command = '/agent/commands/withdraw_tool_version';
    expect(await refusal('POST', command, asCommand, tokens.bob)).toEqual(notOwn);
    await draft(toolId, '1.1.0', tokens.bob);
    expect(await refused(at(toolId, '1.1.0'), tokens.ada)).toEqual(notOwn);
    expect(await ask('POST', command, asCommand, tokens.bob)).toMatchObject({ state: 'rejected' });
  });

  it('takes nothing back that a document has brought, since that is offered once', async () => {
    const [apiId, op] = [fresh('files'), fresh('read')];
    await bring(apiId, openapi({ [op]: {} }), { publish: true }, tokens.ada);
    const parameters = [{ name: 'more', in: 'query', required: true, schema: {} }];
    const { inReview } = await bring(apiId, openapi({ [op]: { parameters } }), {}, tokens.ada);
    const { toolId } = await toolOf(apiId);
    expect(inReview).toMatchObject([{ toolId, version: '2.0.0' }]);
    expect(await refused(at(toolId, '2.0.0'), tokens.ada)).toEqual([409, 'version_state']);
  });

  it('takes nothing back that agents are given, nor for a token that names nobody', async () => {
    const toolId = await made();
    expect(await refused(at(toolId, '1.0.0'), tokens.grace)).toEqual([409, 'version_state']);
    await draft(toolId, '1.1.0', tokens.ada);
    await ask('POST', `${at(toolId, '1.1.0')}/submit`, {}, tokens.ada);
    const scope = 'catalog:write catalog:all-services';
    const nobody = await server().token({ sub: undefined, client_id: 'ci', scope });
    expect(await refused(at(toolId, '1.1.0'), nobody)).toEqual([403, 'subject_needed']);
    await approve(`${at(toolId, '1.1.0')}/approve`, override, tokens.grace);
    expect(await refused(at(toolId, '1.1.0'), tokens.ada)).toEqual([409, 'version_state']);
  });
});
