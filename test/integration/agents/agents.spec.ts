import { agentReads, PutAgent } from '../../../src/agents/agent.record.js';
import { findApiVersion } from '../../../src/endpoints/api-version/api-version.lookup.js';
import { apiVersion } from '../../../src/endpoints/api-version/api-version.record.js';
import { api } from '../../../src/endpoints/api/api.record.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld, emptyProfile } from '../skills/catalog-world.js';

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('the profile of an agent is written, changed and read', async () => {
    const world = new CatalogWorld(database);
    const agentDefId = await world.createAgent('account-agent');
    const words = {
      ...emptyProfile,
      personas: ['account-agent', 'a "quoted", one'],
      temperature: 0.7,
      maxTokens: 4000,
    };
    const write = () => world.execute(new PutAgent(world.writer, { agentDefId, ...words }));
    expect(await write()).toMatchObject({ id: agentDefId, version: 2, changed: true });
    expect(await write()).toMatchObject({ version: 2, changed: false });
    const agent = await agentReads.get(world.database.of(world.hostId), world.visibility, agentDefId);
    expect(agent).toMatchObject({
      ...words,
      ...{ agentDefId, name: 'account-agent', apiVersion: '1.0.0', serviceId: 'accounts', envTag: 'dev' },
      ...{ active: true, aggregateVersion: 2 },
    });
  });

  test('an agent is an API version of type agent that the token covers', async () => {
    const world = new CatalogWorld(database);
    const put = (id: string) =>
      world.execute(new PutAgent(world.writer, { agentDefId: id, ...emptyProfile }));
    await expect(put(nowhere)).rejects.toThrow(refusal('not_found'));
    const version = {
      apiId: 'petstore',
      apiVersion: '1',
      apiType: 'openapi' as const,
      serviceId: 'accounts',
      envTag: 'dev',
      quarantine: false,
    };
    const id = '0198c0de-0000-7000-8000-00000000aaaa';
    await world.write(() => [
      api.create(world.hostId, 'petstore', { apiName: 'Petstore' }),
      apiVersion.create(world.hostId, id, version),
    ]);
    await expect(put(id)).rejects.toThrow(refusal('not_an_agent'));
    for (const [serviceId, envTag] of [
      ['payments', 'dev'],
      ['accounts', 'prod'],
    ] as const) {
      const foreign = await world.createAgent(`${serviceId}-${envTag}`, serviceId, envTag);
      expect(await findApiVersion(world.database.asOwner, world.hostId, foreign)).toBeDefined();
      await expect(put(foreign)).rejects.toThrow(refusal('not_found'));
      const get = agentReads.get(world.database.of(world.hostId), world.visibility, foreign);
      await expect(get).rejects.toThrow(refusal('not_found'));
    }
    const own = await world.createAgent('own');
    const page = await agentReads.list(world.database.of(world.hostId), world.visibility, {
      ...{ limit: 50, active: 'true' },
    });
    expect(page.items.map(({ agentDefId }) => agentDefId)).toEqual([own]);
  });

  test('only an administrator raises the tier', async () => {
    const world = new CatalogWorld(database);
    const agentDefId = await world.createAgent('account-agent');
    const author = { ...world.caller, scopes: new Set(['catalog:write'] as const) };
    const put = (caller: typeof world.caller, maxSensitivityTier: 'public' | 'internal' | 'confidential') =>
      world.execute(
        new PutAgent({ ...world.writer, caller }, { agentDefId, ...emptyProfile, maxSensitivityTier }),
      );
    await expect(put(author, 'confidential')).rejects.toThrow(refusal('insufficient_scope'));
    expect(await put(world.caller, 'confidential')).toMatchObject({ changed: true });
    expect(await put(author, 'public')).toMatchObject({ changed: true });
    await expect(put(author, 'internal')).rejects.toThrow(refusal('insufficient_scope'));
  });
});
