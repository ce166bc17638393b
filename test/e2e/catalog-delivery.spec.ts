import { applyPatch, type Operation } from 'rfc6902';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { Listener, type Catalog } from './catalog-listener.js';
import { makeAccountAgent, type AccountAgent, type Sender } from './account-agent.js';
import { eachServer, hostId } from './server.js';

eachServer((server) => {
  let agent: AccountAgent;
  let other: string;
  let token: string;
  let own: string;
  beforeAll(async () => {
    token = await server().token();
    const sender: Sender = {
      async send(method, path, token, { body } = {}) {
        const { status, text } = await server().api(method, path, { token, body });
        return { status, text, headers: new Headers() };
      },
    };
    agent = await makeAccountAgent(sender, token);
    own = await server().token({ sid: 'accounts', scope: 'catalog:agent', agent_def_id: agent.agentDefId });
    await server().api('POST', '/apis', { body: { apiId: 'other', apiName: 'other-agent' } });
    const version = { apiVersion: '1', apiType: 'agent', serviceId: 'accounts', envTag: 'dev' };
    const made = await server().api<{ id: string }>('POST', '/apis/other/versions', { body: version });
    other = made.body.id;
    await server().api('PUT', `/agents/${other}`, { body: {} });
  });

  const catalog = async (path = agent.catalog): Promise<Catalog> =>
    (await server().api<Catalog & Record<string, unknown>>('GET', path, { token })).body;
  const describeSkill = (description: string): Promise<unknown> =>
    server().api('PATCH', `/skills/${agent.skillId}`, { body: { description } });

  describe('a delta', () => {
    const since = (hash: string, more = '') =>
      server().api<Operation[]>('GET', `${agent.catalog}&since=${hash}${more}`, { token: own });

    it('makes the catalog of now of the one that the reader has, over several changes', async () => {
      const document = await catalog();
      for (const turn of [1, 2, 3]) await describeSkill(`Delta ${String(turn)}.`);
      const tool = agent.toolIds['listBills'] ?? '';
      await server().api('DELETE', `/skills/${agent.skillId}/tools/${tool}`);
      const { headers, body, text } = await since(document.catalogHash);
      expect(headers.get('content-type')).toBe('application/json-patch+json');
      expect(applyPatch(document, body)).toEqual(body.map(() => null));
      const now = await catalog();
      expect(document).toEqual(now);
      expect(text.length).toBeLessThan(JSON.stringify(now).length / 2);
      expect(headers.get('etag')).toBe(`"${now.catalogHash}"`);
      expect(JSON.parse((await since(now.catalogHash)).text)).toHaveLength(2);
    });

    it('is the whole document where the reader’s is not known, or more is asked for', async () => {
      const now = await catalog();
      expect((await since('0'.repeat(64))).headers.get('content-type')).toMatch('application/json;');
      const full = await since(now.catalogHash, '&examples=true');
      expect(full.headers.get('content-type')).toMatch('application/json;');
      expect((await since('no hash')).status).toBe(400);
    });
  });

  it('a signed catalog is the same document, proven by a published key', async () => {
    const plain = await server().api('GET', agent.catalog, { token: own });
    const jws = await server().api('GET', agent.catalog, {
      token: own,
      headers: { accept: 'application/jose' },
    });
    expect(jws.headers.get('content-type')).toBe('application/jose');
    const keys = await server().api<JSONWebKeySet & Record<string, unknown>>(
      'GET',
      '//.well-known/jwks.json',
      {
        token: '',
      },
    );
    expect(JSON.stringify(keys.body)).not.toContain('"d"');
    const { payload, protectedHeader } = await compactVerify(jws.text, createLocalJWKSet(keys.body));
    expect(Buffer.from(payload).toString()).toBe(plain.text);
    expect(protectedHeader).toMatchObject({ alg: 'ES256', cty: 'application/json' });
    const forged = jws.text.replace(/^[^.]+\.(.)/, (start, one: string) =>
      start.replace(new RegExp(`${one}$`), one === 'A' ? 'B' : 'A'),
    );
    await expect(compactVerify(forged, createLocalJWKSet(keys.body))).rejects.toThrow();
  });

  it.each([
    ['application/jose', true],
    ['Application/JOSE; q=0.9, application/json; q=0.5', true],
    ['application/json, application/jose; q=0.5', false],
    ['application/jose; q=0, */*', false],
    ['application/joseph, */*', false],
    ['*/*', false],
  ])('the form is the one that the reader likes best: %s', async (accept, signed) => {
    const type = signed ? 'application/jose' : 'application/json; charset=utf-8';
    const { headers } = await server().api('GET', agent.catalog, { token: own, headers: { accept } });
    expect([headers.get('content-type'), headers.get('vary')]).toEqual([type, 'Authorization, Accept']);
  });

  it('each form has a tag of its own', async () => {
    const ask = (accept: string, known = '') =>
      server().api('GET', agent.catalog, { token: own, headers: { accept, 'if-none-match': known } });
    const tagOf = async (accept: string) => (await ask(accept)).headers.get('etag') ?? '';
    const [json, jose] = [await tagOf('application/json'), await tagOf('application/jose')];
    expect(jose).toBe(`W/${json.slice(0, -1)}.jws"`);
    for (const [accept, own, foreign] of [
      ['application/json', json, jose],
      ['application/jose', jose, json],
    ] as const) {
      expect([(await ask(accept, own)).status, (await ask(accept, foreign)).status]).toEqual([304, 200]);
    }
  });

  it('explains each rule of one tool to an administrator', async () => {
    const path = `${agent.catalog.replace('?', '/explain?')}&tool=`;
    const { body } = await server().api<{
      disclosed: boolean;
      offers: { reason?: string; rules: { reason: string; outcome: string; compared: object }[] }[];
    }>('GET', `${path}closeAccount`);
    expect(body).toMatchObject({
      disclosed: false,
      offers: [{ disclosed: false, reason: 'destructive_tool_requires_approval_workflow' }],
    });
    expect(body.offers[0]?.rules).toHaveLength(21);
    expect(body.offers[0]?.rules.find(({ outcome }) => outcome === 'withheld')).toMatchObject({
      compared: { destructive: true, link: null, tool: null, approved: false },
    });
    const given = await server().api('GET', `${path}${agent.toolIds['readAccount'] ?? ''}`);
    expect(given.body).toMatchObject({ disclosed: true });
    expect((await server().api('GET', `${path}nothing`)).status).toBe(404);
    expect((await server().api('GET', `${path}closeAccount`, { token: own })).status).toBe(403);
    const anywhere = `${agent.catalog.split('?')[0] ?? ''}/explain?tool=closeAccount`;
    expect((await server().api('GET', anywhere)).body).toEqual(body);
  });

  describe('the stream of one agent', () => {
    const streams: Listener[] = [];
    afterEach(() => {
      for (const stream of streams.splice(0)) stream.leave();
    });
    const listen = async (
      agentDefId: string,
      with_ = token,
      more = '',
      headers: Record<string, string> = {},
    ): Promise<Listener> => {
      const path = `/v1/hosts/${hostId}/agents/${agentDefId}/effective-catalog/events?serviceId=accounts&envTag=dev${more}`;
      const stream = await Listener.at(server().address + path, with_, headers);
      streams.push(stream);
      return stream;
    };

    it('says what has changed to those whom it concerns, and nothing to others', async () => {
      const mine = await listen(agent.agentDefId, own);
      const foreign = await listen(other);
      await describeSkill('Said over the stream.');
      await mine.until(1);
      const { catalogVersion, catalogHash } = await catalog();
      expect(mine.events).toEqual([{ event: 'catalog-changed', data: { catalogVersion, catalogHash } }]);
      await server().api('PUT', `/agents/${other}`, { body: { personas: ['auditor'] } });
      await foreign.until(1);
      expect(foreign.events).toHaveLength(1);
      expect(mine.events).toHaveLength(1);
    });

    it('of each of many agents says what concerns that one, whose version alone has moved', async () => {
      const post = async (path: string, body: object): Promise<string> =>
        (await server().api<{ id: string }>('POST', path, { body })).body.id;
      const skill = async (name: string, tool: string): Promise<string> => {
        const id = await post('/skills', { name, contentMarkdown: 'Do.' });
        await server().api('PUT', `/skills/${id}/tools/${agent.toolIds[tool] ?? ''}`, { body: {} });
        return id;
      };
      const [bills, readings] = [await skill('Bills', 'listBills'), await skill('Readings', 'listReadings')];
      const agents: string[] = [];
      for (let n = 0; n < 12; n += 1) {
        const body = {
          apiVersion: `many-${String(n)}`,
          apiType: 'agent',
          serviceId: 'accounts',
          envTag: 'dev',
        };
        const id = await post('/apis/other/versions', body);
        await server().api('PUT', `/agents/${id}`, { body: {} });
        const given = n % 3 === 0 ? [bills, readings] : [readings];
        await server().api('POST', `/agents/${id}/skills`, {
          body: { skills: given.map((skillId) => ({ skillId })) },
        });
        agents.push(id);
      }
      const versions = async (): Promise<number[]> =>
        Promise.all(
          agents.map(
            async (id) => (await catalog(agent.catalog.replace(agent.agentDefId, id))).catalogVersion,
          ),
        );
      const before = await versions();
      const heard = await Promise.all(agents.map((id) => listen(id)));
      const change = (tool: string): Promise<unknown> =>
        server().api('PATCH', `/tools/${agent.toolIds[tool] ?? ''}`, {
          body: { description: `${tool}, once more.` },
        });
      await change('listBills');
      const after = await versions();
      expect(after.map((version, n) => version > (before[n] ?? 0))).toEqual(
        agents.map((_, n) => n % 3 === 0),
      );
      // Else a stream that is late says both changes at once.
      await Promise.all(heard.map((stream, n) => stream.until(n % 3 === 0 ? 1 : 0)));
      await change('listReadings');
      await Promise.all(heard.map((stream, n) => stream.until(n % 3 === 0 ? 2 : 1)));
      expect(heard.map(({ events }) => events.length)).toEqual(agents.map((_, n) => (n % 3 === 0 ? 2 : 1)));
    });

    it('is judged by its own token: what the token is not given says nothing', async () => {
      const narrow = await server().token({
        sid: 'accounts',
        scope: 'catalog:agent',
        agent_def_id: agent.agentDefId,
        maxSensitivityTier: 'public',
      });
      const [low, high] = [await listen(agent.agentDefId, narrow), await listen(agent.agentDefId, own)];
      const tool = agent.toolIds['readAccount'] ?? '';
      await server().api('PATCH', `/tools/${tool}`, { body: { description: 'Reads one account, in full.' } });
      await high.until(1);
      await describeSkill('Seen by both.');
      await low.until(1);
      await high.until(2);
      expect([low.events.length, high.events.length]).toEqual([1, 2]);
    });

    it('says at once what a reader has missed', async () => {
      const before = await catalog();
      await describeSkill('While nobody was listening.');
      const { catalogVersion } = await catalog();
      const missed = await listen(agent.agentDefId, own, '', {
        'last-event-id': String(before.catalogVersion),
      });
      const asked = await listen(agent.agentDefId, own, `&after=${String(before.catalogVersion)}`);
      const current = await listen(agent.agentDefId, own, `&after=${String(catalogVersion)}`);
      await missed.until(1);
      await asked.until(1);
      expect([missed.events[0]?.data.catalogVersion, current.events]).toEqual([catalogVersion, []]);
    });

    it('takes service and environment from the token where the request names none', async () => {
      const path = `/v1/hosts/${hostId}/agents/${agent.agentDefId}/effective-catalog/events`;
      const stream = await Listener.at(server().address + path, own);
      streams.push(stream);
      await describeSkill('Heard without naming the service.');
      await stream.until(1);
      expect(stream.events[0]?.data.catalogVersion).toBe((await catalog()).catalogVersion);
      const elsewhere = await server().token({ sid: 'payments', scope: 'catalog:read' });
      const refused = await server().api('GET', `/agents/${agent.agentDefId}/effective-catalog/events`, {
        token: elsewhere,
      });
      expect(refused.status).toBe(404);
    });

    it('ends with the token', async () => {
      const claims = { sid: 'accounts', scope: 'catalog:agent', agent_def_id: agent.agentDefId };
      const stream = await listen(agent.agentDefId, await server().token(claims, 4));
      await stream.ended;
      expect(stream.events.map(({ event }) => event)).toEqual(['expired']);
    });

    it.each([
      ['of an agent that is not', '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5eff', 404],
      ['of another agent', () => other, 403],
    ])('%s', async (_, agentDefId, status) => {
      const id = typeof agentDefId === 'string' ? agentDefId : agentDefId();
      const path = `/agents/${id}/effective-catalog/events?serviceId=accounts&envTag=dev`;
      const with_ = status === 403 ? own : token;
      expect((await server().api('GET', path, { token: with_ })).status).toBe(status);
    });
  });
});
