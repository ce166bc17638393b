import { randomUUID } from 'node:crypto';
import { slices } from '../../../src/app.module.js';
import { Domain } from '../../../src/kernel/domain.js';
import type { Database, Session, Walled } from '../../../src/kernel/sql.js';
import { CatalogCache } from '../../../src/effective-catalog/delivery/catalog-cache.service.js';
import type {
  CatalogQuestion,
  MadeCatalog,
} from '../../../src/effective-catalog/effective-catalog.queries.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { LatestWrites } from '../../../src/effective-catalog/latest-writes.service.js';
import { GivenHeads } from '../../given-heads.js';
import { eachDatabase } from '../databases.js';
import { AccountAgent } from './account-agent.js';

/** Sends statements on to the database, counts them, and can hold their answers back. */
class Gate implements Database {
  readonly embedded: boolean;
  readonly acrossHosts: Walled;
  readonly asOwner: Walled;
  statements = 0;
  rows = 0;
  private hold: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {
    ({ embedded: this.embedded, acrossHosts: this.acrossHosts, asOwner: this.asOwner } = database);
  }

  isBusy(): boolean {
    return this.database.isBusy();
  }

  of(hostId: string): Walled {
    const own = this.database.of(hostId);
    return {
      query: (...call) => this.answer(own.query(...call)),
      transaction: (work) => own.transaction(work),
    };
  }

  session(): Promise<Session> {
    return this.database.session();
  }

  private async answer<Row>(asked: Promise<Row[]>): Promise<Row[]> {
    this.statements++;
    const rows = await asked;
    this.rows += rows.length;
    await this.hold;
    return rows;
  }

  /** Holds back every answer until the function given is called. */
  close(): () => void {
    let open = (): void => undefined;
    this.hold = new Promise((resolve) => (open = resolve));
    return open;
  }
}

/** The API version that is one with the agent. */
const own = { api_version_id: AccountAgent.id };

eachDatabase((open) => {
  let database: OpenDatabase;
  let agent: AccountAgent;
  let heads: GivenHeads;
  let gate: Gate;
  let cache: CatalogCache;
  let plain: CatalogQuestion;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    agent = await new AccountAgent(database.asOwner, randomUUID()).build(2, 2);
    heads = new GivenHeads();
    heads.set(agent.hostId, 10);
    gate = new Gate(database);
    cache = new CatalogCache(gate, heads, new LatestWrites(heads, new Domain(slices)));
    plain = { ...agent.registration, withheld: false, examples: false };
  });

  const changeATool = async (position: number): Promise<void> => {
    await agent.tables.set(
      'tool_t',
      { tool_id: AccountAgent.tool(0) },
      { description: `At ${String(position)}.`, position },
    );
    await agent.tables.head(position);
  };

  it('asks once, then answers at once from memory', async () => {
    const made = await cache.read(plain);
    expect(cache.read(plain)).toBe(made);
    expect(gate.statements).toBe(1);
  });

  it('asks the database while the head is not confirmed', async () => {
    await cache.read(plain);
    heads.set(agent.hostId, undefined);
    await cache.read(plain);
    await cache.read(plain);
    expect(gate.statements).toBe(3);
  });

  it('sees a change as soon as the head is known to have moved', async () => {
    const before = await cache.read(plain);
    await changeATool(11);
    heads.set(agent.hostId, 11);
    const after = await cache.read(plain);
    expect(after.etag).not.toBe(before.etag);
    expect(after.bytes.toString()).toContain('At 11.');
    expect(after.version).toBe(11);
  });

  it('keeps the bytes where the host moved and the catalog did not', async () => {
    const before = await cache.read(plain);
    await agent.tables.head(12);
    heads.set(agent.hostId, 12);
    const rows = gate.rows;
    expect((await cache.read(plain)).bytes).toBe(before.bytes);
    expect(gate.rows - rows).toBe(1);
    expect(cache.read(plain)).toMatchObject({ etag: before.etag });
    expect(gate.statements).toBe(2);
  });

  it('holds up to the position that the statement saw, also where the news of it come later', async () => {
    await changeATool(13);
    await cache.read(plain);
    heads.set(agent.hostId, 13);
    await cache.read(plain);
    expect(gate.statements).toBe(1);
  });

  it('asks one question at a time, and who comes in between waits for the next', async () => {
    const release = gate.close();
    const first = cache.read(plain);
    await changeATool(11);
    const later = Array.from({ length: 20 }, async () => cache.read(plain));
    release();
    await first;
    const catalogs = await Promise.all(later);
    expect(catalogs.every(({ bytes }) => bytes.toString().includes('At 11.'))).toBe(true);
    expect(gate.statements).toBe(2);
  });

  it('goes on after a failure', async () => {
    await agent.tables.set('api_version_t', own, { env_tag: 'prod' });
    const failing = [1, 2].map(async () => cache.read(plain));
    await expect(Promise.allSettled(failing)).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    await agent.tables.set('api_version_t', own, { env_tag: 'dev' });
    await expect(cache.read(plain)).resolves.toMatchObject({ version: 10 });
  });

  it('forgets an agent that is gone', async () => {
    await cache.read(plain);
    await agent.tables.set('api_version_t', own, { env_tag: 'prod', position: 11 });
    heads.set(agent.hostId, 11);
    await expect(cache.read(plain)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('empties the catalog of an agent that is switched off', async () => {
    const before = await cache.read(plain);
    await agent.tables.set('agent_definition_t', {}, { active: false, position: 11 });
    heads.set(agent.hostId, 11);
    const after = await cache.read(plain);
    expect([before.disclosure.skills > 0, after.disclosure.skills, after.version]).toEqual([true, 0, 11]);
    expect(after.scope).toMatchObject({ skillIds: [], toolIds: [], apiIds: [] });
  });

  it('keeps apart what differs', async () => {
    await agent.tables.set('tool_t', { tool_id: AccountAgent.tool(0) }, { sensitivity_tier: 'confidential' });
    await agent.tables.set('agent_definition_t', {}, { max_sensitivity_tier: 'restricted' });
    const questions: CatalogQuestion[] = [
      plain,
      { ...plain, tokenTier: 'internal' },
      { ...plain, tokenTier: 'public' },
      { ...plain, withheld: true },
      { ...plain, examples: true },
      { ...plain, context: [] },
      { ...plain, context: ['host_id'] },
    ];
    const catalogs: MadeCatalog[] = [];
    for (const question of questions) catalogs.push(await cache.read(question));
    expect(gate.statements).toBe(questions.length);
    const toolsOf = (index: number): number => catalogs[index]?.scope.toolIds.length ?? -1;
    expect([toolsOf(0), toolsOf(1), toolsOf(2)]).toEqual([4, 3, 0]);
    expect(new Set(catalogs.slice(0, 5).map(({ etag }) => etag)).size).toBe(5);
  });

  it('names the ids of all that the catalog holds', async () => {
    const { scope } = await cache.read(plain);
    expect(scope).toEqual({
      kept: [],
      agentDefIds: [AccountAgent.id],
      skillIds: [0, 1].map(AccountAgent.skill),
      toolIds: [0, 1, 2, 3].map(AccountAgent.tool),
      endpointIds: [0, 1, 2, 3].map(AccountAgent.endpoint),
      apiVersionIds: [AccountAgent.apiVersion],
      apiIds: ['accounts'],
      workflowIds: [],
      references: expect.any(Function),
      links: new Map([
        [AccountAgent.skill(0), { toolIds: [0, 1].map(AccountAgent.tool), dependsOn: [], workflowIds: [] }],
        [AccountAgent.skill(1), { toolIds: [2, 3].map(AccountAgent.tool), dependsOn: [], workflowIds: [] }],
      ]),
    });
  });
});
