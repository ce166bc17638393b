import { randomUUID } from 'node:crypto';
import { slices } from '../../../src/app.module.js';
import { Domain } from '../../../src/kernel/domain.js';
import { CatalogCache } from '../../../src/effective-catalog/delivery/catalog-cache.service.js';
import { PastCatalogs } from '../../../src/effective-catalog/past.lookup.js';
import { DisclosureLog } from '../../../src/effective-catalog/disclosure/disclosure-log.service.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { LatestWrites } from '../../../src/effective-catalog/latest-writes.service.js';
import { EffectiveCatalogs } from '../../../src/effective-catalog/effective-catalogs.lookup.js';
import { callerOf } from '../../../src/platform/auth/claims.js';
import type { Caller } from '../../../src/platform/auth/caller.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { SlowReads } from '../../../src/platform/work/slow-reads.js';
import { NoHeads } from '../../no-heads.js';
import { eachDatabase } from '../databases.js';
import { AccountAgent } from './account-agent.js';

eachDatabase((open) => {
  let database: OpenDatabase;
  let agent: AccountAgent;
  let catalogs: EffectiveCatalogs;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    agent = await new AccountAgent(database.asOwner, randomUUID()).build(2, 1);
    const heads = new NoHeads();
    catalogs = new EffectiveCatalogs(
      new CatalogCache(database, heads, new LatestWrites(heads, new Domain(slices))),
      new PastCatalogs(database, new SlowReads(1)),
      new DisclosureLog(createLog('silent'), new Metrics()),
    );
  });

  const caller = (claims: object = {}): Caller =>
    callerOf({
      iss: 'test',
      sub: 'agent',
      exp: 4_000_000_000,
      host: agent.hostId,
      sid: 'account-agent',
      env: 'dev',
      scope: 'catalog:agent',
      ...claims,
    });
  const namesOf = async (...given: Parameters<EffectiveCatalogs['of']>): Promise<string[]> =>
    (await catalogs.of(...given)).content.skills.flatMap(({ tools }) => tools.map(({ name }) => name));

  it('gives the disclosed catalog of an agent in a service and environment of the token', async () => {
    expect(await namesOf(caller(), AccountAgent.id)).toEqual(['tool_000', 'tool_001']);
    expect(
      await namesOf(caller({ sid: ['x', 'account-agent'], scope: 'catalog:read' }), AccountAgent.id),
    ).toHaveLength(2);
    await expect(catalogs.of(caller({ sid: 'x' }), AccountAgent.id)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('gives the same content, parsed once, as long as nothing changes', async () => {
    const { content, version, scope } = await catalogs.of(caller(), AccountAgent.id);
    expect((await catalogs.of(caller(), AccountAgent.id)).content).toBe(content);
    expect([version, scope.toolIds]).toEqual([10, [0, 1].map(AccountAgent.tool)]);
    await agent.tables.set('tool_t', { tool_id: AccountAgent.tool(0) }, { active: false, position: 11 });
    expect(await namesOf(caller(), AccountAgent.id)).toEqual(['tool_001']);
  });

  it('is narrowed by the token, and further by the wish', async () => {
    await agent.tables.set('tool_t', { tool_id: AccountAgent.tool(0) }, { sensitivity_tier: 'public' });
    expect(await namesOf(caller({ maxSensitivityTier: 'public' }), AccountAgent.id)).toEqual(['tool_000']);
    expect(await namesOf(caller(), AccountAgent.id, { maxTier: 'public' })).toEqual(['tool_000']);
    const narrow = caller({ maxSensitivityTier: 'public' });
    expect(await namesOf(narrow, AccountAgent.id, { maxTier: 'restricted' })).toEqual(['tool_000']);
    const routing = { contextRequirements: { requiredContext: ['host_id'] } };
    await agent.tables.set(
      'tool_t',
      { tool_id: AccountAgent.tool(1) },
      { tool_metadata: { routing, safety: { readOnly: true } }, position: 12 },
    );
    expect(await namesOf(caller(), AccountAgent.id, { context: '' })).toEqual(['tool_000']);
    expect(await namesOf(caller(), AccountAgent.id, { context: 'host_id' })).toHaveLength(2);
  });

  it('adds example prompts where asked to', async () => {
    const { content } = await catalogs.of(caller(), AccountAgent.id, { examples: true });
    expect(content.skills[0]?.tools[0]).toMatchObject({ examplePrompts: ['do it'] });
  });

  it.each([
    ['another agent', { agent_def_id: AccountAgent.apiVersion }, {}],
    ['another service', {}, { serviceId: 'other' }],
    ['another environment', {}, { envTag: 'prod' }],
  ])('refuses a token of %s', async (_, claims, options) => {
    await expect(catalogs.of(caller(claims), AccountAgent.id, options)).rejects.toMatchObject({
      status: 403,
    });
  });
});
