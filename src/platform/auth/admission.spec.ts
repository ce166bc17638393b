import { hostId } from '../../../test/token-issuer.js';
import { PipelineServer, type Call } from '../../../test/pipeline-server.js';
const uuid = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
const other = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e03';
let server: PipelineServer;

beforeAll(async () => {
  server = await PipelineServer.start();
});
afterAll(async () => {
  await server.stop();
});

const outcome = (method: string, path: string, call?: Call): Promise<string> =>
  server.outcome(method, path, call);
const json = (method: string, path: string, call?: Call): Promise<Record<string, unknown>> =>
  server.json(method, path, call);

describe('the host', () => {
  it('of another token is not the one of the path', async () => {
    expect(await outcome('GET', '/things', { claims: { host: other } })).toBe('403 host_not_covered');
  });

  it.each([hostId.toUpperCase(), `${hostId}0`, ` x`])('%p is none', async (host) => {
    expect(await outcome('GET', '/things', { claims: { host } })).toBe('403 claim_invalid');
  });

  it('is compared trimmed', async () => {
    expect(await outcome('GET', '/things', { claims: { host: ` ${hostId}\n` } })).toBe('200');
  });

  it('can’t be had in another spelling', async () => {
    expect(await outcome('GET', `//v1/hosts/${hostId.toUpperCase()}/things`)).toBe('403 host_not_covered');
  });

  it('is asked for on HEAD as on GET', async () => {
    expect((await server.call('HEAD', '/things')).status).toBe(200);
    expect((await server.call('HEAD', '/things', { claims: { host: other } })).status).toBe(403);
    expect((await server.call('HEAD', '/things', { claims: null })).status).toBe(401);
  });
});

describe('service and environment', () => {
  it.each(['serviceId', 'envTag'])('%s is compared wherever the request names it', async (name) => {
    const code = name === 'serviceId' ? '403 service_not_covered' : '403 environment_not_covered';
    expect(await outcome('GET', `/things?${name}=other`)).toBe(code);
    expect(await outcome('GET', `/things?${name}=`)).toBe(code);
    for (const body of [
      { [name]: 'other' },
      { version: { [name]: 'other' } },
      { items: [{}, { [name]: 'other' }] },
    ]) {
      expect(await outcome('POST', '/things', { body: { name: 'a', ...body } })).toBe(code);
    }
  });

  it('covered, they pass, trimmed and case-sensitive', async () => {
    const query = 'serviceId=tidewell.accounts-1.0.0&envTag=%20dev%20';
    expect(await outcome('GET', `/things?${query}`)).toBe('200');
    expect(await outcome('GET', '/things?envTag=Dev')).toBe('403 environment_not_covered');
    expect(
      await outcome('POST', '/things', { body: { name: 'a', envTag: null, version: { envTag: 'dev' } } }),
    ).toBe('200');
  });

  it('in an array of the token, each value is covered and no other', async () => {
    const claims = { sid: ['a', 'b'] };
    expect(await outcome('GET', '/things?serviceId=b', { claims })).toBe('200');
    expect(await outcome('GET', '/things?serviceId=c', { claims })).toBe('403 service_not_covered');
    expect(await outcome('GET', '/things?serviceId=a,b', { claims })).toBe('403 service_not_covered');
  });

  it('all services are covered by catalog:all-services, no other environment', async () => {
    const claims = { sid: undefined, scope: 'catalog:read catalog:all-services' };
    expect(await outcome('GET', '/things?serviceId=any', { claims })).toBe('200');
    expect(await outcome('GET', '/things?envTag=prod', { claims })).toBe('403 environment_not_covered');
  });

  it('named twice or as another type is malformed', async () => {
    expect(await outcome('GET', '/things?serviceId=a&serviceId=b')).toBe('400 invalid_query');
    expect(await outcome('POST', '/things', { body: { name: 'a', serviceId: 7 } })).toBe('400 invalid_body');
  });

  it('within free-form members mean something else', async () => {
    expect(await outcome('POST', '/things', { body: { name: 'a', config: { serviceId: 'other' } } })).toBe(
      '200',
    );
  });
});

describe('scopes', () => {
  it.each([
    ['GET', '/things', 'catalog:agent'],
    ['POST', '/things', 'catalog:read'],
    ['POST', '/things', 'catalog:admin'],
    ['GET', '/events', 'catalog:read catalog:write'],
    ['GET', '/things', ''],
  ])('%s %s is refused with %p', async (method, path, scope) => {
    expect(await outcome(method, path, { claims: { scope } })).toBe('403 insufficient_scope');
  });

  it('none is asked for where the route says so', async () => {
    expect(await outcome('GET', '//open', { claims: null })).toBe('200');
  });
});

describe('a token of an agent', () => {
  const own = { scope: 'catalog:agent catalog:read catalog:admin catalog:write', agent_def_id: uuid };

  it('reaches its own agent and no other, wherever it is named', async () => {
    expect(await outcome('GET', `/agents/${uuid}`, { claims: own })).toBe('200');
    expect(await outcome('GET', `/agents/${other}`, { claims: own })).toBe('403 agent_not_covered');
    expect(await outcome('GET', `/things?agentDefId=${other}`, { claims: own })).toBe(
      '403 agent_not_covered',
    );
    expect(await outcome('POST', '/search', { claims: own, body: { agentDefId: other } })).toBe(
      '403 agent_not_covered',
    );
    expect(await outcome('POST', '/search', { claims: own, body: { version: { agentDefId: other } } })).toBe(
      '403 agent_not_covered',
    );
  });

  it('is refused where an agent has no business', async () => {
    expect(await outcome('GET', '/events', { claims: own })).toBe('403 confined_token');
    expect(await outcome('GET', '/events')).toBe('200');
  });

  it('brings its agent scope to what is read', async () => {
    expect(await json('GET', '/things', { claims: own })).toMatchObject({
      visibility: { services: 'all', within: { agentDefIds: [uuid] } },
    });
    expect(await json('GET', '/things')).not.toHaveProperty('visibility.within');
  });

  it('without agent_def_id must name the agent', async () => {
    const claims = { scope: 'catalog:agent' };
    expect(await outcome('POST', '/search', { claims, body: {} })).toBe('400 agent_required');
    expect(await outcome('POST', '/search', { claims, body: { agentDefId: uuid } })).toBe('200');
    expect(await outcome('GET', `/agents/${uuid}`, { claims })).toBe('200');
    expect(await outcome('POST', '/search', { claims: own, body: {} })).toBe('200');
    expect(await outcome('POST', '/search', { body: {} })).toBe('200');
    for (const scope of ['catalog:write', 'catalog:admin', 'catalog:agent catalog:write']) {
      expect(await outcome('POST', '/search', { claims: { scope }, body: {} })).toBe('200');
    }
  });
});

describe('a narrowed token', () => {
  it('reads no tier above its own', async () => {
    expect(await json('GET', '/things', { claims: { maxSensitivityTier: 'internal' } })).toMatchObject({
      visibility: { tiers: ['public', 'internal'] },
    });
    expect(await json('GET', '/things')).toMatchObject({ visibility: { tiers: 'all' } });
  });

  it('is refused where every tier lies open', async () => {
    expect(await outcome('GET', '/events', { claims: { maxSensitivityTier: 'internal' } })).toBe(
      '403 confined_token',
    );
    expect(await outcome('GET', '/events', { claims: { maxSensitivityTier: 'restricted' } })).toBe('200');
  });
});
