import { PipelineServer, type Call } from '../../../test/pipeline-server.js';
import { inSeconds } from '../../../test/dates.js';
const uuid = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
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

describe('If-Match', () => {
  const sent = (tag: string, path = '/things'): Promise<Record<string, unknown>> =>
    json('POST', path, { body: { name: 'a' }, headers: { 'if-match': tag } });

  it('names a version, or any', async () => {
    expect(await sent('"7"')).toHaveProperty('writeContext.expectedVersion', 7);
    expect(await sent('*')).toHaveProperty('writeContext.expectedVersion', 'any');
    expect(await sent('"0"')).toHaveProperty('writeContext.expectedVersion', 0);
    expect(await json('POST', '/things', { body: { name: 'a' } })).not.toHaveProperty(
      'writeContext.expectedVersion',
    );
  });

  it.each(['7', '"7', '"7", "8"', 'nonsense', '""7""'])('malformed as %s is 400', async (tag) => {
    expect(await sent(tag)).toMatchObject({ status: 400, code: 'invalid_if_match' });
  });

  it.each(['W/"7"', '"abc"', '"07"', '"00"', '"-1"', '"99999999999999999999"'])(
    '%s matches no version',
    async (tag) => {
      expect(await sent(tag)).toMatchObject({ status: 412, code: 'version_conflict' });
    },
  );

  it('is refused on a batch', async () => {
    expect(await sent('"1"', '/things/batch')).toMatchObject({ status: 400, code: 'if_match_on_batch' });
  });
});

describe('Idempotency-Key', () => {
  const path = '/things';
  const call = { body: { name: 'a' }, headers: { 'idempotency-key': 'k' } };
  const idempotency = async (
    change: Call = {},
    at = path,
  ): Promise<{ key?: string; fingerprint?: string }> => {
    const headers = { ...call.headers, ...change.headers };
    const { writeContext } = await json('POST', at, { ...call, ...change, headers });
    return (writeContext as { idempotency: object }).idempotency;
  };

  it('is the same for the same request, whatever the token’s times', async () => {
    expect(await idempotency()).toEqual(await idempotency({ claims: { exp: inSeconds(9) } }));
  });

  it.each([
    ['the body', { body: { name: 'b' } }, path],
    ['white space in the body', { raw: '{"name": "a"}' }, path],
    ['If-Match', { headers: { 'if-match': '"1"' } }, path],
    ['sid', { claims: { sid: 'other' } }, path],
    ['env', { claims: { env: 'other' } }, path],
    ['agent_def_id', { claims: { agent_def_id: uuid } }, path],
    ['the path', {}, '/search'],
  ])('with another %s is the same key of another request', async (_, change, at) => {
    const [one, two] = [await idempotency(), await idempotency(change, at)];
    expect(two.key).toBe(one.key);
    expect(two.fingerprint).not.toBe(one.fingerprint);
  });

  it('with another sid is another request also of a token for all services', async () => {
    const claims = { scope: 'catalog:write catalog:all-services' };
    const [one, two] = [
      await idempotency({ claims }),
      await idempotency({ claims: { ...claims, sid: 'other' } }),
    ];
    expect(two.key).toBe(one.key);
    expect(two.fingerprint).not.toBe(one.fingerprint);
  });

  it.each(['sub', 'client_id'])('of another %s is another key', async (claim) => {
    const claims = { [claim]: 'b' };
    expect((await idempotency({ claims })).key).not.toBe((await idempotency()).key);
  });

  it.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('may not be %p', async (key) => {
    expect(await outcome('POST', path, { ...call, headers: { 'idempotency-key': key } })).toBe(
      '400 invalid_idempotency_key',
    );
  });

  it('may have 255 characters', async () => {
    expect(await outcome('POST', path, { ...call, headers: { 'idempotency-key': 'x'.repeat(255) } })).toBe(
      '200',
    );
  });
});
