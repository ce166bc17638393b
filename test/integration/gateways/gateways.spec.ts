import { v7 } from 'uuid';
import { EventStore } from '../../../src/kernel/event-store.js';
import { RecordDrift, SettleDrift } from '../../../src/gateways/drift/drift.commands.js';
import type { DriftRecord } from '../../../src/gateways/drift/drift.events.js';
import { lastEntry } from '../../../src/gateways/drift/drift.lookup.js';
import { recordOf } from '../../../src/gateways/drift/drift.js';
import { CheckGateway, driftHandlers } from '../../../src/gateways/drift/drift.routes.js';
import { findingsNow } from '../../../src/gateways/drift/drift.service.js';
import { driftProjection } from '../../../src/gateways/drift/drift.projection.js';
import { exposureHandlers, SelectTools, toolExposure } from '../../../src/gateways/exposure.link.js';
import type { ExposureBody } from '../../../src/gateways/exposure.rules.js';
import { planChecks, takeDueGateways } from '../../../src/gateways/drift/gateway-checks.service.js';
import type { GatewayProfile } from '../../../src/gateways/gateway.fields.js';
import {
  ActivateGateway,
  DeactivateGateway,
  findGateway,
  gateway,
  gatewayHandlers,
  PutGateway,
} from '../../../src/gateways/gateway.record.js';
import { gatewaySlice } from '../../../src/gateways/gateway.slice.js';
import {
  failDelivery,
  replayDeliveries,
  takeDeliveries,
  webhookFollower,
} from '../../../src/webhooks/webhook-deliveries.lookup.js';
import { DeleteWebhook, webhook, webhookHandlers } from '../../../src/webhooks/webhook.record.js';
import { webhookSlice } from '../../../src/webhooks/webhook.slice.js';
import { eachDatabase } from '../databases.js';
import { execute } from '../execute.js';
import { ToolWorld } from '../tools/tool-world.js';
import { SkillVersionLinks } from '../../../src/skills/links/version-links.lookup.js';

const record = (toolName: string): DriftRecord => ({
  checkedAt: '2026-11-21T09:30:00.000Z',
  protocolVersion: '2026-07-28',
  failure: null,
  findings: [{ toolName, toolId: null, finding: 'not_in_catalog', grade: null, reason: null }],
});

eachDatabase((open) => {
  let world: ToolWorld;
  beforeAll(async () => {
    world = new ToolWorld(await open(), [gatewaySlice, webhookSlice]);
  });

  const profileOf = (serviceId: string, checkIntervalSeconds: number | null = null): GatewayProfile => ({
    ...{ serviceId, envTag: 'dev', url: 'https://gateway.example.com/mcp', protocolVersion: 'auto' },
    ...{
      maxSensitivityTier: 'internal',
      auth: null,
      checkIntervalSeconds,
      callerIdentity: { type: 'credential' },
    },
  });
  const visibility = () => ({ ...world.visibility, services: 'all' as const });
  const writer = () => ({ ...world.writer, visibility: visibility() });
  const switchOff = (gatewayId: string) =>
    execute(world, gatewayHandlers, new DeactivateGateway(writer(), { gatewayId }));
  const put = async (serviceId: string, checkIntervalSeconds?: number): Promise<string> => {
    const id = v7();
    const profile = profileOf(serviceId, checkIntervalSeconds);
    await execute(world, gatewayHandlers, new PutGateway(writer(), { gatewayId: id, ...profile }));
    return id;
  };
  const select = (gatewayId: string, tools: readonly ExposureBody[]) =>
    execute(world, exposureHandlers, new SelectTools(writer(), { gatewayId, tools }));
  const exposed = async (gatewayId: string): Promise<readonly string[]> => {
    const rows = await world.database.asOwner.query<{ tool_id: string }>(
      'SELECT tool_id FROM tool_exposure_t WHERE host_id = $1 AND gateway_id = $2 AND active ORDER BY tool_id',
      [world.hostId, gatewayId],
    );
    return rows.map(({ tool_id: id }) => id);
  };
  const rows = () =>
    Promise.all(
      [
        ['gateway_t', 'gateway_id'],
        ['tool_exposure_t', 'gateway_id, tool_id'],
        ['gateway_drift_t', 'gateway_id, position'],
      ].map(([table = '', key = '']) =>
        world.database.asOwner.query(`SELECT * FROM ${table} WHERE host_id = $1 ORDER BY ${key}`, [
          world.hostId,
        ]),
      ),
    );

  test('of two registrations of one service at once exactly one is made', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `race-${String(index)}`);
    const results = await Promise.allSettled(names.flatMap((name) => [put(name), put(name)]));
    const codes = results.map((result) =>
      result.status === 'fulfilled' ? 'made' : (result.reason as { code: string }).code,
    );
    expect(codes.filter((code) => code === 'made')).toHaveLength(20);
    expect(codes.filter((code) => code === 'gateway_exists')).toHaveLength(20);
  });

  test('of two that come back at once exactly one does', async () => {
    const first = await put('sleepy');
    await switchOff(first);
    const second = await put('sleepy');
    await switchOff(second);
    const back = [first, second].map((id) =>
      execute(world, gatewayHandlers, new ActivateGateway(writer(), { gatewayId: id })),
    );
    const results = await Promise.allSettled(back);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('selections at once leave one of them, whole', async () => {
    const gatewayId = await put('selected');
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => world.createTool(`select_${name}`)));
    const [a, b, c, d] = made.map(({ id }) => ({ toolId: id })) as [
      ExposureBody,
      ExposureBody,
      ExposureBody,
      ExposureBody,
    ];
    await Promise.all([select(gatewayId, [a, b]), select(gatewayId, [c, d]), select(gatewayId, [a, d])]);
    const wholes = [
      [a, b],
      [c, d],
      [a, d],
    ].map((tools) => tools.map(({ toolId }) => toolId).sort());
    expect(wholes).toContainEqual(await exposed(gatewayId));
  });

  test.each([1, 3, 1000])('a rebuild in steps of %s events gives the same rows', async (size) => {
    const gatewayId = await put(`rebuilt-${String(size)}`, 60);
    const { id: toolId } = await world.createTool(`rebuilt_${String(size)}`);
    await select(gatewayId, [
      { toolId, targetHost: 'https://a.example.com', runtime: { cacheTtlSeconds: 5 } },
    ]);
    await select(gatewayId, []);
    await select(gatewayId, [{ toolId }]);
    const { hostId, database } = world;
    await world.carryOut(new RecordDrift(hostId, gatewayId, record('new')));
    const rest = { ...record('new'), findings: [] };
    const accepted = {
      checkedAt: rest.checkedAt,
      protocolVersion: '2026-07-28',
      findings: record('new').findings,
    };
    await world.carryOut(
      new SettleDrift(hostId, gatewayId, { as: 'accepted', taken: accepted, found: rest }),
    );
    await switchOff(gatewayId);
    const before = await rows();
    const events = await new EventStore(database.of(hostId), world.domain.types).readLog(hostId, 0, 10_000);
    for (const projection of [gateway.projection, toolExposure.projection, driftProjection]) {
      for (const table of projection.tables)
        await database.asOwner.query(`DELETE FROM ${table} WHERE host_id = $1`, [hostId]);
      const own = events.filter(({ type }) => projection.handles.includes(type));
      for (let from = 0; from < own.length; from += size)
        await database.asOwner.transaction(async (tx) => projection.apply(tx, own.slice(from, from + size)));
    }
    expect(await rows()).toEqual(before);
  });

  test('what was accepted while a check was under way is not found again', async () => {
    const gatewayId = await put('accepted-meanwhile');
    const { id: toolId } = await world.createTool('accepted_meanwhile');
    await select(gatewayId, [{ toolId }]);
    const { hostId } = world;
    const answer = { checkedAt: '2026-11-21T09:30:00.000Z', protocolVersion: '2026-07-28', offers: [] };
    const links = new SkillVersionLinks();
    // Asked of the gateway before: its list is empty, so that the tool is missing.
    const sql = world.database.of(hostId);
    const asked = await findGateway(sql, hostId, gatewayId);
    if (asked === undefined) throw new Error('There is no gateway.');
    const found = await findingsNow({ sql, hostId, links }, asked, answer);
    expect(found.findings).toMatchObject([{ finding: 'missing_from_gateway' }]);
    const check = { found, entry: await lastEntry(sql, hostId, gatewayId) };
    // Meanwhile an operator accepts that.
    await select(gatewayId, []);
    const rest = recordOf(answer, []);
    const { checkedAt, protocolVersion } = answer;
    await world.carryOut(
      new SettleDrift(hostId, gatewayId, {
        ...{ as: 'accepted', taken: { checkedAt, protocolVersion, findings: [] }, found: rest },
      }),
    );
    const keep = new CheckGateway(writer(), { gatewayId });
    expect(await execute(world, driftHandlers, keep, { check: () => Promise.resolve(check) })).toMatchObject({
      ...{ changed: false, findings: [] },
    });
    const history = await world.database.asOwner.query(
      'SELECT kind, findings FROM gateway_drift_t WHERE gateway_id = $1 ORDER BY position',
      [gatewayId],
    );
    expect(history).toEqual([
      { kind: 'accepted', findings: [] },
      { kind: 'recorded', findings: [] },
    ]);
  });

  test('a gateway that is due is taken by one instance, once, until it is due again', async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => put(`checked-${String(index)}`, 60)),
    );
    const instances = Array.from({ length: 6 }, async () => {
      await planChecks(world.database.acrossHosts, 20.5);
      return takeDueGateways(world.database.acrossHosts, 4, 20.5);
    });
    const taken = (await Promise.all(instances)).flat();
    for (let more = 4; more > 0;) {
      const rest = await takeDueGateways(world.database.acrossHosts, 4, 20.5);
      taken.push(...rest);
      more = rest.length;
    }
    expect(
      taken
        .map(({ gatewayId }) => gatewayId)
        .filter((id) => ids.includes(id))
        .sort(),
    ).toEqual([...ids].sort());
    // A tenth sooner or later, never two at one time for long.
    const [spread] = await world.database.asOwner.query<{ least: number; most: number; differ: boolean }>(
      `SELECT min(extract(epoch FROM next_check_ts - now()))::float8 AS least,
              max(extract(epoch FROM next_check_ts - now()))::float8 AS most,
              count(DISTINCT next_check_ts) > 1 AS differ FROM gateway_check_t WHERE gateway_id = ANY($1::uuid[])`,
      [ids],
    );
    expect(spread?.differ).toBe(true);
    expect(spread?.most).toBeLessThanOrEqual(66);
    // Told to be checked more often, it waits no longer for what it was told before.
    const hurried = ids[1] ?? '';
    const often = (seconds: number) =>
      execute(
        world,
        gatewayHandlers,
        new PutGateway(writer(), { gatewayId: hurried, ...profileOf('checked-1', seconds) }),
      );
    const due = async (): Promise<number> => {
      await planChecks(world.database.acrossHosts, 20.5);
      const [row] = await world.database.asOwner.query<{ seconds: number }>(
        `SELECT extract(epoch FROM next_check_ts - now())::float8 AS seconds FROM gateway_check_t
         WHERE gateway_id = $1`,
        [hurried],
      );
      return row?.seconds ?? Infinity;
    };
    await often(86_400);
    await world.database.asOwner.query(
      `UPDATE gateway_check_t SET next_check_ts = now() + make_interval(secs => 86400) WHERE gateway_id = $1`,
      [hurried],
    );
    expect(await due()).toBeGreaterThan(80_000);
    await often(60);
    expect(await due()).toBeLessThanOrEqual(66);
    // Switched off, it is forgotten.
    await switchOff(ids[0] ?? '');
    await planChecks(world.database.acrossHosts, 20.5);
    const left = await world.database.asOwner.query('SELECT FROM gateway_check_t WHERE gateway_id = $1', [
      ids[0],
    ]);
    expect(left).toEqual([]);
  });

  describe('webhooks', () => {
    const follower = webhookFollower(gatewaySlice.events.map(({ type }) => type));
    const writes = async (webhookId: string, url: string) =>
      world.carryOut(webhook.put(world.hostId, webhookId, { url, secret: 'hook' }));
    /** A change of the catalog: its position. */
    const change = async (): Promise<number> => {
      await put(v7());
      const [head] = await world.database.asOwner.query<{ position: number }>(
        'SELECT position FROM host_head_t WHERE host_id = $1',
        [world.hostId],
      );
      return head?.position ?? 0;
    };
    const follow = async (position: number): Promise<void> => {
      const sql = world.database.of(world.hostId);
      const store = new EventStore(sql, world.domain.types);
      await follower.handle(sql, await store.readLog(world.hostId, position - 1, 1));
    };
    const deliveries = (webhookId: string) =>
      world.database.asOwner.query<{ deliveryId: string; position: number; state: string }>(
        `SELECT delivery_id AS "deliveryId", position, state FROM webhook_delivery_t
         WHERE webhook_id = $1 ORDER BY position`,
        [webhookId],
      );

    test('are told of a change from before they were written again, and forget all when they are deleted', async () => {
      const [old, young] = [v7(), v7()];
      await writes(old, 'https://agents.example.com/before');
      const position = await change();
      await writes(old, 'https://agents.example.com/after');
      await writes(young, 'https://agents.example.com/young');
      await follow(position);
      expect(await deliveries(old)).toMatchObject([{ position, state: 'pending' }]);
      expect(await deliveries(young)).toEqual([]);
      await execute(world, webhookHandlers, new DeleteWebhook(world.writer, { webhookId: old }));
      expect(await deliveries(old)).toEqual([]);
    });

    test('are told under an id of its own of what changed after a dead letter that is replayed', async () => {
      const webhookId = v7();
      await writes(webhookId, 'https://agents.example.com/dead');
      const first = await change();
      await follow(first);
      const due = await takeDeliveries(world.database.acrossHosts, 10, []);
      const taken = due.find((each) => each.webhookId === webhookId);
      if (taken === undefined) throw new Error('Nothing was due.');
      await failDelivery(world.database.of(world.hostId), taken, {
        ...{ reason: 'It was not there.', givesUp: true, pause: 2 },
      });
      expect(await replayDeliveries(world.database.of(world.hostId), world.hostId, webhookId)).toBe(1);
      const second = await change();
      await follow(second);
      expect(await deliveries(webhookId)).toEqual([
        { deliveryId: taken.deliveryId, position: first, state: 'pending' },
        { deliveryId: expect.not.stringMatching(taken.deliveryId), position: second, state: 'pending' },
      ]);
    });
  });
});
