import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { catalogAnswer } from '../../../src/effective-catalog/effective-catalog.schemas.js';
import { readRows, type Registration } from '../../../src/effective-catalog/rows.queries.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { bytesOfRows } from '../../catalog-rows.js';
import { eachDatabase } from '../databases.js';
import { AccountAgent } from './account-agent.js';

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
const conforms = ajv.compile(catalogAnswer);

eachDatabase((open) => {
  const read = (registration: Registration, known?: number) =>
    readRows(database.of(registration.hostId), registration, { known });
  let database: OpenDatabase;
  let agent: AccountAgent;
  let otherHost: string;
  beforeAll(async () => {
    database = await open();
  });
  // A host of its own for each test, with the same ids in it.
  beforeEach(async () => {
    agent = await new AccountAgent(database.asOwner, randomUUID()).build(3, 2);
    otherHost = randomUUID();
  });

  const versionNow = async (): Promise<number | null> => (await read(agent.registration)).version;

  it('gives the rows of one agent, and its version', async () => {
    const { position, version, rows } = await read(agent.registration);
    expect({ position, version }).toEqual({ position: 10, version: 10 });
    expect(rows).toMatchObject({
      agent: { agent_def_id: AccountAgent.id, name: 'Account Agent', service_id: 'account-agent' },
    });
    expect(
      [rows?.assignments, rows?.skills, rows?.links, rows?.tools, rows?.endpoints].map(
        (list) => list?.length,
      ),
    ).toEqual([3, 3, 6, 6, 6]);
    if (rows === undefined) return;
    const { bytes } = bytesOfRows(rows, { withheld: true, examples: true });
    const document = JSON.parse(bytes.toString()) as object;
    conforms(document);
    expect(conforms.errors).toBeNull();
    expect(document).toMatchObject({
      skills: [{ tools: [{ name: 'tool_000', outputSchema: { type: 'array' } }, {}] }, {}, {}],
      withheld: [],
    });
  });

  it('sends no rows where the version is known', async () => {
    await agent.tables.head(99);
    expect(await read(agent.registration, 10)).toEqual({ position: 99, version: 10 });
    expect((await read(agent.registration, 9)).rows).toBeDefined();
  });

  it.each([
    ['another agent', { agentDefId: AccountAgent.apiVersion }],
    ['another service', { services: ['accounts'] }],
    ['another environment', { environments: ['prod'] }],
    ['another host', { hostId: '02000000-0000-7000-8000-000000000002' }],
    ['no service at all', { services: [] }],
  ])('knows no such agent: %s', async (_, other) => {
    expect(await read({ ...agent.registration, ...other })).toMatchObject({ version: null });
    expect((await read({ ...agent.registration, ...other })).rows).toBeUndefined();
  });

  it('knows the agent among several services, and among all', async () => {
    const { registration } = agent;
    expect(await read({ ...registration, services: ['x', 'account-agent'] })).toMatchObject({
      version: 10,
    });
    expect(await read({ ...registration, services: 'all' })).toMatchObject({ version: 10 });
  });

  it('knows an agent that is inactive, and what of it is', async () => {
    await agent.tables.set('agent_definition_t', { agent_def_id: AccountAgent.id }, { active: false });
    expect(await read(agent.registration)).toMatchObject({
      version: 10,
      rows: { agent: { inactive_part: 'agent' } },
    });
  });

  describe('the version', () => {
    it.each([
      ['the profile', 'agent_definition_t', { agent_def_id: AccountAgent.id }],
      ["the agent's API version", 'api_version_t', { api_version_id: AccountAgent.id }],
      ["the agent's API", 'api_t', { api_id: 'agent' }],
      ['an assignment', 'agent_skill_t', { skill_id: AccountAgent.skill(1) }],
      ['a skill', 'skill_t', { skill_id: AccountAgent.skill(1) }],
      ['a link', 'skill_tool_t', { tool_id: AccountAgent.tool(1) }],
      ['a tool', 'tool_t', { tool_id: AccountAgent.tool(1) }],
      ['an endpoint', 'api_endpoint_t', { endpoint_id: AccountAgent.endpoint(1) }],
      ["a tool's API version", 'api_version_t', { api_version_id: AccountAgent.apiVersion }],
      ["a tool's API", 'api_t', { api_id: 'accounts' }],
    ])('moves with %s', async (_, table, key) => {
      await agent.tables.set(table, key, { position: 11 });
      expect(await versionNow()).toBe(11);
    });

    it('stays with what affects others', async () => {
      await agent.tables.head(40);
      await agent.addTool(77, 41);
      await new AccountAgent(database.asOwner, otherHost).build(1, 1);
      await agent.tables.set('tool_t', { tool_id: AccountAgent.tool(77) }, { position: 42 });
      expect(await versionNow()).toBe(10);
    });

    it('moves with the gateways before the agent and what they expose, not with others', async () => {
      const { tables } = agent;
      const [own, foreign] = [randomUUID(), randomUUID()];
      const expose = (gateway_id: string, position: number): Promise<void> =>
        tables.add('tool_exposure_t', { gateway_id, tool_id: AccountAgent.tool(0), position });
      await tables.add('gateway_t', { gateway_id: foreign, env_tag: 'prod', position: 11 });
      await expose(foreign, 12);
      expect(await versionNow()).toBe(10);
      await tables.add('gateway_t', { gateway_id: own, env_tag: 'dev', position: 13 });
      expect(await versionNow()).toBe(13);
      await expose(own, 14);
      expect(await versionNow()).toBe(14);
      await tables.set('agent_definition_t', {}, { gateway_ids: [foreign], position: 15 });
      await tables.set('gateway_t', { gateway_id: own }, { position: 16 });
      expect(await versionNow()).toBe(15);
      await tables.set('tool_exposure_t', { gateway_id: foreign }, { position: 17 });
      expect(await versionNow()).toBe(17);
    });

    it('does not fall when an assignment or a link is taken away', async () => {
      const { tables } = agent;
      await tables.set('tool_t', { tool_id: AccountAgent.tool(0) }, { position: 20 });
      await tables.set('skill_tool_t', { tool_id: AccountAgent.tool(0) }, { position: 21, active: false });
      expect(await versionNow()).toBe(21);
      await tables.set('skill_t', { skill_id: AccountAgent.skill(0) }, { position: 22, active: false });
      expect(await versionNow()).toBe(22);
      await tables.set('agent_skill_t', { skill_id: AccountAgent.skill(0) }, { position: 23, active: false });
      expect(await versionNow()).toBe(23);
      const { rows } = await read(agent.registration);
      expect(rows?.skills.map(({ skill_id }) => skill_id).sort()).toEqual([
        AccountAgent.skill(1),
        AccountAgent.skill(2),
      ]);
    });
  });

  it('the same ids in two hosts stay apart', async () => {
    const other = await new AccountAgent(database.asOwner, otherHost).build(1, 1);
    await other.tables.set('tool_t', {}, { description: 'Foreign.', position: 50 });
    const mine = await read(agent.registration);
    expect(mine.version).toBe(10);
    expect(JSON.stringify(mine.rows)).not.toContain('Foreign.');
    expect((await read(other.registration)).rows?.tools).toHaveLength(1);
  });
});
