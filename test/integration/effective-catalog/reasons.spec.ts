import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../src/kernel/sql.js';
import { readRows } from '../../../src/effective-catalog/rows.queries.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { bytesOfRows, catalogOf } from '../../catalog-rows.js';
import { eachDatabase } from '../databases.js';
import { AccountAgent } from './account-agent.js';
import { Tables } from './tables.js';

const safety = (flags: object) => (agent: AccountAgent, sql: Sql) =>
  sql.query(
    `UPDATE tool_t SET tool_metadata = jsonb_set(tool_metadata, '{safety}', tool_metadata -> 'safety' || $2)
     WHERE host_id = $1`,
    [agent.hostId, JSON.stringify(flags)],
  );

type Columns = Readonly<Record<string, unknown>>;

const setOf =
  (table: string, where: Columns, patch: Columns) =>
  (agent: AccountAgent, sql: Sql): Promise<unknown> =>
    new Tables(sql, agent.hostId).set(table, where, patch);

const set = (table: string, patch: Columns) => setOf(table, {}, patch);

/** What in the tables makes each reason hold of the one tool, in the order of docs/contract.md, section 7. */
const causes: readonly { reason: string; cause: (agent: AccountAgent, sql: Sql) => Promise<unknown> }[] = [
  { reason: 'agent_inactive', cause: set('agent_definition_t', { active: false }) },
  { reason: 'skill_inactive', cause: set('skill_t', { active: false }) },
  {
    reason: 'skill_dependency_missing',
    cause: ({ hostId }, sql) =>
      new Tables(sql, hostId).add('skill_dependency_t', {
        skill_id: AccountAgent.skill(0),
        depends_on_skill_id: AccountAgent.skill(9),
        required: true,
      }),
  },
  { reason: 'tool_inactive', cause: set('tool_t', { active: false }) },
  { reason: 'api_inactive', cause: setOf('api_t', { api_id: 'accounts' }, { active: false }) },
  {
    reason: 'api_version_inactive',
    cause: setOf('api_version_t', { api_version_id: AccountAgent.apiVersion }, { active: false }),
  },
  { reason: 'endpoint_inactive', cause: set('api_endpoint_t', { active: false }) },
  { reason: 'version_not_approved', cause: set('tool_t', { approved: false }) },
  {
    reason: 'change_not_accepted',
    cause: async (agent, sql) => {
      await set('api_version_t', { quarantine: true })(agent, sql);
      await set('tool_t', { change: { grade: 'breaking' } })(agent, sql);
    },
  },
  { reason: 'lifecycle_retired', cause: set('tool_t', { lifecycle_status: 'retired' }) },
  { reason: 'environment_mismatch', cause: set('api_endpoint_t', { env_tag: 'prod' }) },
  {
    reason: 'not_exposed',
    cause: ({ hostId }, sql) =>
      new Tables(sql, hostId).add('gateway_t', { gateway_id: randomUUID(), env_tag: 'dev' }),
  },
  {
    reason: 'access_level_too_low',
    cause: async (agent, sql) => {
      await set('skill_tool_t', { access_level: 'read' })(agent, sql);
      await safety({ readOnly: false })(agent, sql);
    },
  },
  { reason: 'sensitivity_tier_exceeds_policy', cause: set('tool_t', { sensitivity_tier: 'restricted' }) },
  { reason: 'persona_mismatch', cause: set('tool_t', { target_personas: ['auditor'] }) },
  { reason: 'domain_mismatch', cause: set('agent_definition_t', { domains: ['hr'] }) },
  { reason: 'destructive_tool_requires_approval_workflow', cause: safety({ destructive: true }) },
  { reason: 'approval_required_missing_workflow', cause: safety({ humanApprovalRequired: true }) },
  {
    reason: 'context_missing',
    cause: ({ hostId }, sql) =>
      sql.query(
        `UPDATE tool_t SET tool_metadata = jsonb_set(tool_metadata, '{routing}',
           '{"contextRequirements": {"requiredContext": ["host_id"]}}') WHERE host_id = $1`,
        [hostId],
      ),
  },
];
const pairs = causes.flatMap((first, i) => causes.slice(i + 1).map((second) => ({ first, second })));
const undone = new Error('The test takes back what it has changed.');

/** What the rows make, and its bytes without what is withheld. */
type Catalog = ReturnType<typeof catalogOf> & { readonly text: string };

eachDatabase((open) => {
  let database: OpenDatabase;
  let agent: AccountAgent;
  beforeAll(async () => {
    database = await open();
    agent = await new AccountAgent(database.asOwner, randomUUID()).build(1, 1);
  });

  /** The catalog after these changes, which are taken back. */
  const catalogAfter = async (...changes: readonly (typeof causes)[number][]): Promise<Catalog> => {
    let catalog: Catalog | undefined;
    const work = async (tx: Sql): Promise<void> => {
      for (const { cause } of changes) await cause(agent, tx);
      const { rows } = await readRows(tx, agent.registration);
      if (rows === undefined) throw new Error('The agent is gone.');
      const { bytes } = bytesOfRows(rows, { withheld: false, examples: true }, { context: [] });
      catalog = { ...catalogOf(rows, { context: [] }), text: bytes.toString() };
      throw undone;
    };
    await expect(database.of(agent.hostId).transaction(work)).rejects.toBe(undone);
    if (catalog === undefined) throw new Error('The changes were not looked at.');
    return catalog;
  };
  /** Of the tool. */
  const reasonsOf = ({ withheld }: Catalog): string[] =>
    withheld.filter(({ toolId }) => toolId !== undefined).map(({ reason }) => reason);
  const unlinked = { reason: '', cause: set('skill_tool_t', { active: false }) };

  it('nothing is withheld where nothing speaks against it', async () => {
    const catalog = await catalogAfter();
    expect([reasonsOf(catalog), catalog.content.skills[0]?.tools.length]).toEqual([[], 1]);
  });

  it.each(causes)('$reason, and no trace of the tool', async (cause) => {
    const catalog = await catalogAfter(cause);
    expect(reasonsOf(catalog)).toEqual([cause.reason]);
    for (const trace of ['tool_000', AccountAgent.tool(0), AccountAgent.endpoint(0), 'do it'])
      expect(catalog.text).not.toContain(trace);
  });

  it.each([
    ['agent_inactive', causes.slice(0, 3)],
    ['skill_inactive', causes.slice(1, 3)],
    ['skill_dependency_missing', causes.slice(2, 3)],
    ['skill_without_active_tool', []],
  ])('%s, of the skill itself where it has lost its last tool', async (reason, others) => {
    const { withheld, content } = await catalogAfter(unlinked, ...others);
    expect(withheld).toEqual([{ skillId: AccountAgent.skill(0), reason, detail: expect.any(String) }]);
    expect(content.skills).toEqual([]);
  });

  it.each(pairs)('$first.reason before $second.reason', async ({ first, second }) => {
    expect(reasonsOf(await catalogAfter(second, first))).toEqual([first.reason]);
  });

  it.each([
    ['agent_definition_t', {}, 'The agent Account Agent is inactive.'],
    [
      'api_version_t',
      { api_version_id: AccountAgent.id },
      'The agent Account Agent is inactive: its API version is.',
    ],
    ['api_t', { api_id: 'agent' }, 'The agent Account Agent is inactive: its API is.'],
  ] as const)(
    'an agent is inactive by %s, and its catalog is empty and says so',
    async (table, where, detail) => {
      const { withheld, content } = await catalogAfter({
        reason: '',
        cause: setOf(table, where, { active: false }),
      });
      expect(withheld).toMatchObject([{ reason: 'agent_inactive', detail }]);
      expect(content.skills).toEqual([]);
    },
  );

  it.each([
    ['api_t', { api_id: 'accounts' }, 'The API accounts is inactive.'],
    [
      'api_version_t',
      { api_version_id: AccountAgent.apiVersion },
      'The version 1.0.0 of the API accounts is inactive.',
    ],
  ] as const)('the reason of a tool whose %s is inactive names it', async (table, where, detail) => {
    const { withheld } = await catalogAfter({ reason: '', cause: setOf(table, where, { active: false }) });
    expect(withheld).toMatchObject([{ detail }]);
  });

  it('an exposure by a gateway of the agent, or of its environment, lets the tool through', async () => {
    const gateway = randomUUID();
    const expose = (where: object) => ({
      reason: '',
      cause: async (_: AccountAgent, sql: Sql) => {
        const tables = new Tables(sql, agent.hostId);
        await tables.add('gateway_t', { gateway_id: gateway, env_tag: 'dev', ...where });
        await tables.add('tool_exposure_t', { gateway_id: gateway, tool_id: AccountAgent.tool(0) });
      },
    });
    const named = { reason: '', cause: set('agent_definition_t', { gateway_ids: [gateway] }) };
    expect(reasonsOf(await catalogAfter(expose({})))).toEqual([]);
    expect(reasonsOf(await catalogAfter(expose({ env_tag: 'prod' }), named))).toEqual([]);
    expect(reasonsOf(await catalogAfter(named))).toEqual(['not_exposed']);
    const closed = { reason: '', cause: set('tool_exposure_t', { active: false }) };
    expect(reasonsOf(await catalogAfter(expose({}), closed))).toEqual(['not_exposed']);
    expect(reasonsOf(await catalogAfter(expose({ active: false })))).toEqual([]);
    expect(reasonsOf(await catalogAfter(expose({ active: false }), named))).toEqual(['not_exposed']);
  });
});
