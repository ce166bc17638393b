import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { appendNewer } from '../newer-event.js';
import { eachOwnServer, type OwnServer } from './own-server.js';
import { hostId } from './server.js';

interface Logged {
  readonly type: string;
  readonly position: number;
  readonly aggregateid: string;
  readonly aggregateversion: number;
}

/** Reads a stream of events until it holds this text. */
async function readUntil(body: ReadableStream<Uint8Array>, sought: string): Promise<string> {
  const reader = body.getReader();
  let text = '';
  while (!text.includes(sought)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  await reader.cancel();
  return text;
}

eachOwnServer((server) => {
  const hostPath = (path: string): string => `${server().address}/v1/hosts/${hostId}${path}`;
  let named = 0;
  const write = async (to: OwnServer): Promise<{ id: string; position: number }> => {
    const body = { name: `skill ${String((named += 1))}`, contentMarkdown: 'x' };
    return (await to.api<{ id: string; position: number }>('POST', '/skills', { body })).body;
  };
  const follow = async (
    query: string,
    token: string,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(hostPath(`/events/stream${query}`), { headers: { authorization: `Bearer ${token}`, ...headers } });

  it('is read in order, page by page', async () => {
    for (let index = 0; index < 3; index += 1) await write(server());
    const { body } = await server().api<{ items: Logged[] }>('GET', '/events?limit=2');
    expect(body.items.map(({ position }) => position)).toEqual([1, 2]);
    const next = await server().api<{ items: Logged[] }>('GET', '/events?after=2&limit=1');
    expect(next.body.items).toMatchObject([{ position: 3, specversion: '1.0', user: 'operator' }]);
    expect((await server().api('GET', '/events?after=99999')).body).toEqual({ items: [] });
  });

  it('gives one record’s history', async () => {
    const { id } = await write(server());
    await server().api('POST', `/skills/${id}/deactivate`);
    const { body } = await server().api<{ items: Logged[] }>('GET', `/streams/Skill/${id}`);
    expect(body.items.map(({ aggregateversion, type }) => [aggregateversion, type])).toEqual([
      [1, 'SkillCreatedEvent'],
      [2, 'SkillDeactivatedEvent'],
    ]);
    const after = await server().api<{ items: Logged[] }>('GET', `/streams/Skill/${id}?after=1`);
    expect(after.body.items).toHaveLength(1);
    expect((await server().api('GET', '/streams/Skill/nothing')).status).toBe(404);
  });

  it('is followed: what is there, then what is written', async () => {
    const { position } = await write(server());
    const response = await follow(`?after=${String(position - 1)}`, await server().token());
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const text = readUntil(response.body as ReadableStream<Uint8Array>, `id: ${String(position + 1)}\n`);
    await write(server());
    expect(await text).toContain(`id: ${String(position)}\nevent: SkillCreatedEvent\ndata: {`);
  });

  it('is followed from its end, without data, where that is asked for', async () => {
    const before = await write(server());
    const response = await follow('?fromEnd=true&data=false', await server().token());
    const { position } = await write(server());
    const text = await readUntil(
      response.body as ReadableStream<Uint8Array>,
      `"position":${String(position)}`,
    );
    expect(text).not.toContain(`id: ${String(before.position)}\n`);
    expect(text).toContain('"aggregatetype":"Skill"');
    expect(text).not.toContain('"data":');
    const resumed = await follow('?fromEnd=true', await server().token(), {
      'last-event-id': String(before.position),
    });
    expect(await readUntil(resumed.body as ReadableStream<Uint8Array>, 'data: ')).toContain(
      `id: ${String(position)}\n`,
    );
  });

  it('goes on behind Last-Event-ID', async () => {
    const { position } = await write(server());
    const response = await follow('', await server().token(), { 'last-event-id': String(position - 1) });
    expect(await readUntil(response.body as ReadableStream<Uint8Array>, 'data: ')).toMatch(
      new RegExp(`^:\n\nid: ${String(position)}\n`),
    );
    expect((await follow('', await server().token(), { 'last-event-id': 'x' })).status).toBe(400);
  });

  it('ends with the token', async () => {
    const response = await follow('?after=99999', await server().token({}, 4));
    expect(await readUntil(response.body as ReadableStream<Uint8Array>, 'no such text')).toContain(
      'event: expired',
    );
  });

  it.each(['/events', '/events/stream', '/streams/Skill/x'])(
    '%s is for administrators that nothing narrows',
    async (path) => {
      const claims = [
        { scope: 'catalog:read' },
        { agent_def_id: hostId, sid: 'a' },
        { maxSensitivityTier: 'internal' },
      ];
      for (const claim of claims) {
        expect((await server().api('GET', path, { token: await server().token(claim) })).status).toBe(403);
      }
    },
  );

  describe('an event of a newer version', () => {
    let skill: { id: string; position: number };
    let position: number;
    beforeAll(async () => {
      skill = await write(server());
      const database = server().app.get<Database>(DATABASE).of(hostId);
      position = await appendNewer(database, hostId, {
        aggregateType: 'Skill',
        aggregateId: skill.id,
        aggregateVersion: 2,
      });
      await appendNewer(database, hostId, { type: 'SkillCreatedEvent', version: 99 });
    });

    it('is shown as it is stored, and so is what comes after it', async () => {
      const later = await write(server());
      const { status, body } = await server().api<{ items: Logged[] }>(
        'GET',
        `/events?after=${String(position - 1)}`,
      );
      expect(status).toBe(200);
      expect(body.items).toMatchObject([
        { position, type: 'FutureThingEvent', data: { future: true } },
        { type: 'SkillCreatedEvent', dataschema: expect.stringContaining(':99'), data: { future: true } },
        { position: later.position, type: 'SkillCreatedEvent' },
      ]);
      const history = await server().api<{ items: Logged[] }>('GET', `/streams/Skill/${skill.id}`);
      expect(history.body.items.map(({ type }) => type)).toEqual(['SkillCreatedEvent', 'FutureThingEvent']);
      const stream = await follow(`?after=${String(position - 1)}`, await server().token());
      const text = await readUntil(
        stream.body as ReadableStream<Uint8Array>,
        `id: ${String(later.position)}\n`,
      );
      expect(text).toContain('event: FutureThingEvent');
    });

    it('keeps this instance from writing to its record, and says so', async () => {
      const refused = await server().api('PATCH', `/skills/${skill.id}`, { body: { description: 'x' } });
      expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
        503,
        'newer_event',
        '5',
      ]);
      const other = await write(server());
      const patched = await server().api('PATCH', `/skills/${other.id}`, { body: { description: 'x' } });
      expect(patched.status).toBe(200);
    });
  });
});
