import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { eachServer } from './server.js';

interface Problem {
  readonly code: string;
  readonly errors: readonly { readonly pointer: string }[];
}

// Made here, so that no scanner of this repository takes it for a leak.
const secret = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
/** Not to be seen. */
const hidden = 'finance\u202Eeugol';

eachServer((server) => {
  let agent: AccountAgent;
  let toolId: string;
  let newSkill: string;

  const send = async (method: string, path: string, body: unknown) =>
    server().api<Problem>(method, path, { body });
  const command = async (name: string, body: object) => send('POST', `/agent/commands/${name}`, body);

  beforeAll(async () => {
    const token = await server().token();
    agent = await makeAccountAgent(
      {
        send: async (method, path, _, more) => ({
          ...(await server().api(method, path, { token, ...more })),
        }),
      },
      token,
    );
    [toolId = ''] = Object.values(agent.toolIds);
    const { body } = await server().api<{ id: string }>('POST', '/skills', {
      body: { name: 'Shown', contentMarkdown: 'Do.' },
    });
    newSkill = body.id;
    await send('PUT', `/skills/${newSkill}/tools/${toolId}`, {});
  });

  /** Every way to say the config of an assignment, with what is in front of it in the pointer. */
  const assignments = (config: object) => {
    const { agentDefId } = agent;
    const skills = [{ skillId: newSkill, config }];
    const path = `/agents/${agentDefId}/skills`;
    return {
      put: () => send('PUT', `${path}/${newSkill}`, { config }),
      patch: () => send('PATCH', `${path}/${agent.skillId}`, { config }),
      batch: () => send('POST', path, { skills }),
      replacement: () => send('PUT', path, { skills }),
      validation: () => send('POST', `${path}/validate`, { skills }),
      command: () => command('assign_skill', { agentDefId, skillId: newSkill, config }),
    };
  };

  describe.each([
    ['a secret', secret, 'skill_contains_secret'],
    ['what hides', hidden, 'skill_contains_unsafe_text'],
  ])('%s is refused', (_, text, code) => {
    it('in the config of an assignment, at every door', async () => {
      const outcomes: Record<string, unknown> = {};
      for (const [door, ask] of Object.entries(assignments({ domains: ['finance', text] }))) {
        const { status, body } = await ask();
        outcomes[door] = [status, body.code, body.errors[0]?.pointer.endsWith('/config/domains/1')];
      }
      const refused = [400, code, true];
      expect(outcomes).toEqual({
        ...{ put: refused, patch: refused, batch: refused },
        ...{ replacement: refused, validation: refused, command: refused },
      });
      const catalog = await server().api('GET', agent.catalog);
      expect([catalog.status, catalog.text.includes(text)]).toEqual([200, false]);
    });

    it('in a skill and its links, at every door', async () => {
      const words = { name: `Refused ${code}`, description: text, contentMarkdown: 'Do.' };
      const config = { notes: text };
      const link = `/skills/${newSkill}/tools/${toolId}`;
      const roads = {
        create: () => send('POST', '/skills', words),
        update: () => send('PATCH', `/skills/${newSkill}`, { description: text }),
        draft: () => command('draft_skill', words),
        link: () => send('PUT', link, { config }),
        linkCommand: () => command('link_tool', { skillId: newSkill, toolId, config }),
        import: () =>
          send('POST', '/skills/import', {
            document: { ...words, tools: [{ name: 'readAccount', config }] },
          }),
        fromTools: () => send('POST', '/skills/from-tools', { toolIds: [toolId], description: text }),
      };
      const outcomes: Record<string, unknown> = {};
      for (const [door, ask] of Object.entries(roads)) {
        const { status, body } = await ask();
        outcomes[door] = [status, body.code];
      }
      expect(outcomes).toEqual(Object.fromEntries(Object.keys(roads).map((door) => [door, [400, code]])));
    });
  });

  it('a secret is refused in what else agents are shown', async () => {
    const refused = [
      await send('PUT', `/agents/${agent.agentDefId}`, { modelName: secret }),
      await send('POST', '/apis', { apiId: 'leaking', apiName: 'Leaking', apiDesc: secret }),
      await send('PATCH', '/apis/agent', { apiDesc: secret }),
      await send('POST', '/tags', { entityType: 'skill', tagName: 'leaking', tagDesc: secret }),
      await send('POST', '/categories', {
        ...{ entityType: 'skill', categoryName: 'leaking', categoryDesc: secret },
      }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [400, 'secret_in_body']),
    );
  });

  it('a skill is assigned once: again on equal terms it changes nothing, on others it is refused', async () => {
    const { agentDefId } = agent;
    const path = `/agents/${agentDefId}/skills`;
    const pair = { agentDefId, skillId: newSkill };
    const assign = async (terms: object) => command('assign_skill', { ...pair, ...terms });
    const batch = async (terms: object) => send('POST', path, { skills: [{ skillId: newSkill, ...terms }] });
    expect(await assign({ priority: 4 })).toMatchObject({ status: 200, body: { changed: true, version: 1 } });
    expect(await assign({ priority: 4 })).toMatchObject({ status: 200, body: { changed: false } });
    expect(await batch({ priority: 4 })).toMatchObject({
      ...{ status: 201, body: { items: [{ changed: false, version: 1 }] } },
    });
    expect(await send('PUT', `${path}/${newSkill}`, { priority: 4 })).toMatchObject({
      ...{ status: 200, body: { changed: false } },
    });
    for (const again of [await assign({}), await batch({ priority: 5 })])
      expect([again.status, again.body.code]).toEqual([409, 'already_assigned']);
    expect(await assign({ priority: 5, expectedVersion: 1 })).toMatchObject({
      ...{ status: 200, body: { changed: true, version: 2 } },
    });
    expect(await assign({ priority: 6, expectedVersion: 1 })).toMatchObject({ status: 412 });
  });
});
