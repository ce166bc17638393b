import { fresh, guardsWorld } from './guards-world.js';
import { eachServer } from './server.js';

/** A range of versions that nothing is in is refused at every door, and what another one moves is said before it does. */

eachServer((server) => {
  const { ask, agentWith } = guardsWorld(server);
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
  const draft = (toolId: string, version: string) => {
    const body = { version, description: `Reads a file as ${version} does.`, inputSchema };
    return ask('POST', `/tools/${toolId}/versions`, body);
  };
  /** A tool of the version 1.0.0, with a draft of 2.0.0, and a skill that does not use it yet. */
  const made = async () => {
    const name = fresh('readFile');
    const script = { name, implementationType: 'python', description: 'Reads.', inputSchema };
    const { id: toolId } = await ask<{ id: string }>('POST', '/tools', script);
    await draft(toolId, '2.0.0');
    const skillName = fresh('skill');
    const skill = { name: skillName, contentMarkdown: 'x' };
    const { id: skillId } = await ask<{ id: string }>('POST', '/skills', skill);
    return { name, toolId, skillName, skillId, link: `/skills/${skillId}/tools/${toolId}` };
  };
  const refused = async (method: string, path: string, body: object) => {
    const { status, body: said } = await server().api<{ code: string; detail: string }>(method, path, {
      body,
    });
    return [status, said.code, said.detail];
  };

  it('is refused by every door that links, which says what there is', async () => {
    const { name, toolId, skillName, skillId, link } = await made();
    const range = '^9';
    const detail =
      `^9 takes none of ${name}’s versions (2.0.0, 1.0.0). Take a range that one of them is in, or write the ` +
      'version first: a draft is enough.';
    const refusal = [409, 'range_takes_nothing', detail];
    const tools = [{ toolId, range }];
    const document = { name: skillName, contentMarkdown: 'x', tools: [{ name, range }] };
    expect(await refused('PUT', link, { range })).toEqual(refusal);
    expect(await refused('POST', '/skills/save', { skillId, tools })).toEqual(refusal);
    expect(await refused('POST', '/skills/import', { document })).toEqual(refusal);
    expect(await refused('POST', '/agent/commands/link_tool', { skillId, toolId, range })).toEqual(refusal);
    const spec = { contentMarkdown: 'x', tools: [{ name, range }] };
    const plan = { owner: 'repo:skills', documents: [{ kind: 'Skill', key: skillName, spec }], adopt: true };
    const planned = JSON.stringify(await ask('POST', '/code/plans', plan));
    expect(planned).toContain('range_takes_nothing');
  });

  it('says of another range whom it gives which version, before it does', async () => {
    const { toolId, skillName, skillId, link } = await made();
    const agent = await agentWith([toolId]);
    const tried = (range: string) => ask<{ moves: object }>('PUT', link, { range, dryRun: true });
    const nobody = { skills: [], agents: [], gateways: [] };
    const gained = { skillId, skillName, range: '^1', from: null, to: '1.0.0' };
    expect(await tried('^1')).toMatchObject({ changed: true, moves: { ...nobody, skills: [gained] } });
    expect((await server().api('GET', link)).status).toBe(404);
    await ask('PUT', link, { range: '^1' });
    expect(await tried('~1.0')).toMatchObject({ changed: true, moves: nobody });
    await ask('POST', `/agents/${agent}/skills`, { skills: [{ skillId }] });
    const lost = { skillId, skillName, range: '^2', from: '1.0.0', to: null };
    const moves = { skills: [lost], agents: [{ agentDefId: agent }], gateways: [] };
    expect(await tried('^2')).toMatchObject({ moves });
    const command = { skillId, toolId, range: '^2', dryRun: true };
    expect(await ask('POST', '/agent/commands/link_tool', command)).toMatchObject({ moves });
    expect(await ask('GET', link)).toMatchObject({ range: '^1' });
    expect(await ask('PUT', link, { range: '^2' })).not.toHaveProperty('moves');
  });

  it('may take a draft alone, and is left as it is where it became empty since', async () => {
    const { toolId, link } = await made();
    await ask('PUT', link, { range: '^2' });
    await ask('POST', `/tools/${toolId}/versions/2.0.0/withdraw`, {});
    await ask('PUT', link, { config: { notes: 'Mind the size.' } });
    await ask('PUT', link, { range: '^2', config: {} });
    expect(await ask('GET', link)).toMatchObject({ range: '^2' });
    await ask('PUT', link, { range: '^1' });
    expect((await refused('PUT', link, { range: '^2' })).slice(0, 2)).toEqual([409, 'range_takes_nothing']);
  });
});
