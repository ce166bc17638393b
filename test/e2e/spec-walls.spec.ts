import { eachServer } from './server.js';
import { fresh, guardsWorld, openapi, override } from './guards-world.js';

/** Tools that specs make belong to the service that the spec names as its host, and hold their name once they are approved. */

interface Pushed {
  readonly id: string;
  readonly outcome: string;
}

eachServer((server) => {
  const { ask, refusal, bring, toolOf, approval } = guardsWorld(server);
  const tokens = { owner: '', reviewer: '', stranger: '', elsewhere: '' };
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:approve';
    tokens.owner = await server().token({ sub: 'carol', sid: 'shop', scope });
    tokens.reviewer = await server().token({ sub: 'bob', sid: 'shop', scope });
    tokens.stranger = await server().token({ sub: 'eve', sid: 'other', scope });
    tokens.elsewhere = await server().token({ sub: 'eve', sid: 'shop', env: 'qa', scope });
  });
  const spec = (name: string, version: string, host: string | undefined) =>
    [
      `version: ${version}\nname: ${name}\ndescription: Reads a file.`,
      ...(host === undefined ? [] : [`host: ${host}`]),
      'inputSchema: { type: object }\n',
    ].join('\n');
  interface Terms {
    readonly token?: string;
    readonly envTag?: string;
  }
  const push = (name: string, version: string, host: string | undefined, terms: Terms = {}) => {
    const { token = tokens.owner, ...more } = terms;
    return ask<Pushed>('POST', '/tools/specs', { specText: spec(name, version, host), ...more }, token);
  };
  const refused = (name: string, version: string, host: string | undefined, terms: Terms) => {
    const { token, ...more } = terms;
    return refusal('POST', '/tools/specs', { specText: spec(name, version, host), ...more }, token);
  };
  const approved = async (id: string, version: string) => {
    await ask('POST', `/tools/${id}/versions/${version}/submit`, {}, tokens.owner);
    return approval(`/tools/${id}/versions/${version}/approve`, override, tokens.reviewer);
  };

  it('are of the service that the spec names, which the token covers, and within its walls', async () => {
    const name = fresh('walled');
    expect(await refused(name, '1.0.0', 'shop', { token: tokens.stranger })).toEqual([
      403,
      'service_not_covered',
    ]);
    const { id } = await push(name, '1.0.0', 'shop');
    expect(await approved(id, '1.0.0')).toEqual([200, undefined]);
    expect(await ask('GET', `/tools/${id}`, undefined, tokens.owner)).toMatchObject({ serviceId: 'shop' });
    const path = `/tools/${id}`;
    const hidden = [404, 'not_found'];
    expect(await refusal('GET', path, undefined, tokens.stranger)).toEqual(hidden);
    expect(await refusal('PATCH', path, { description: 'Mine.' }, tokens.stranger)).toEqual(hidden);
    expect(await refusal('POST', `${path}/versions/1.0.0/retire`, { reason: 'r' }, tokens.stranger)).toEqual(
      hidden,
    );
    const { items } = await ask<{ items: object[] }>(
      'GET',
      `/tools?name=${name}`,
      undefined,
      tokens.stranger,
    );
    expect(items).toEqual([]);
  });

  it('are of one environment where the push names it, and it is covered like any other', async () => {
    const name = fresh('dev');
    const dev = { envTag: 'dev' };
    expect(await refused(name, '1.0.0', 'shop', { token: tokens.elsewhere, ...dev })).toEqual([
      403,
      'environment_not_covered',
    ]);
    const { id } = await push(name, '1.0.0', 'shop', dev);
    expect(await ask('GET', `/tools/${id}`, undefined, tokens.owner)).toMatchObject(dev);
    expect(await refusal('GET', `/tools/${id}`, undefined, tokens.elsewhere)).toEqual([404, 'not_found']);
    const again = await push(name, '1.0.1', 'shop', dev);
    expect([again.id, again.outcome]).toEqual([id, 'new_version']);
    const other = await push(name, '1.0.0', 'shop', { token: tokens.elsewhere, envTag: 'qa' });
    expect(other.outcome).toBe('new_tool');
  });

  it('hold no name as long as no version is approved, and take none that another has by then', async () => {
    const [apiId, op] = [fresh('names'), fresh('pay')];
    const { id } = await push(op, '1.0.0', 'other', { token: tokens.stranger });
    await bring(apiId, openapi({ [op]: {} }), { publish: true });
    const { toolId } = await toolOf(apiId);
    expect(toolId).not.toBe(id);
    await ask('POST', `/tools/${id}/versions/1.0.0/submit`, {}, tokens.stranger);
    const approver = await server().token({ sub: 'mel', sid: 'other', scope: 'catalog:approve' });
    expect(await approval(`/tools/${id}/versions/1.0.0/approve`, override, approver)).toEqual([
      409,
      'tool_name_taken',
    ]);
    const mine = await push(fresh('first'), '1.0.0', 'shop');
    expect(await refusal('POST', `/tools/${mine.id}/deactivate`, {}, tokens.owner)).toEqual([200, undefined]);
    expect(await refusal('POST', `/tools/${mine.id}/activate`, {}, tokens.owner)).toEqual([200, undefined]);
    expect(await approved(mine.id, '1.0.0')).toEqual([200, undefined]);
  });

  it('get the next version where the spec fits one tool, whoever has a draft of the name elsewhere', async () => {
    const [apiId, op] = [fresh('fits'), fresh('read')];
    await bring(apiId, openapi({ [op]: {} }), { publish: true });
    const { toolId } = await toolOf(apiId);
    await push(op, '9.9.9', 'other', { token: tokens.stranger });
    expect(await push(op, '2.0.0', 'shop')).toMatchObject({ id: toolId, outcome: 'new_version' });
    expect(await push(op, '2.0.1', undefined)).toMatchObject({ id: toolId, outcome: 'new_version' });
  });

  it('leave a name to the tool that holds it, wherever one is found by its name', async () => {
    const [apiId, op] = [fresh('named'), fresh('find')];
    const draft = await push(op, '1.0.0', 'shop');
    await bring(apiId, openapi({ [op]: {} }), { publish: true });
    const { toolId } = await toolOf(apiId);
    const teach = { items: [{ toolName: op, prompts: ['find it'] }], mode: 'add' };
    const { items } = await ask<{ items: { id: string }[] }>('POST', '/tools/examples', teach, tokens.owner);
    expect(items.map(({ id }) => id)).toEqual([toolId]);
    const document = { name: fresh('by name'), contentMarkdown: 'x', tools: [{ name: op }] };
    const { tools } = await ask<{ tools: { toolId: string }[] }>(
      'POST',
      '/skills/import',
      { document },
      tokens.owner,
    );
    expect(tools).toMatchObject([{ toolId }]);
    expect(draft.id).not.toBe(toolId);
  });

  it('are refused where the spec fits two, and where it names another host than the tool of the name has', async () => {
    const name = fresh('twice');
    const { id } = await push(name, '1.0.0', 'shop');
    const all = await server().token({ sub: 'ann' });
    await push(name, '1.0.0', 'other', { token: tokens.stranger });
    expect(await refused(name, '1.1.0', undefined, { token: all })).toEqual([409, 'tool_ambiguous']);
    expect(await push(name, '1.1.0', 'shop', { token: all })).toMatchObject({ id, outcome: 'new_version' });
    expect(await approved(id, '1.0.0')).toEqual([200, undefined]);
    expect(await refused(name, '1.2.0', 'evil.example', { token: all })).toEqual([409, 'tool_of_other_host']);
    const free = await push(fresh('free'), '1.0.0', undefined);
    expect(await approved(free.id, '1.0.0')).toEqual([200, undefined]);
    const { name: freeName } = await ask<{ name: string }>('GET', `/tools/${free.id}`);
    expect(await refused(freeName, '1.1.0', 'evil.example', { token: all })).toEqual([
      409,
      'tool_of_other_host',
    ]);
  });
});
