import { AssignSkills, checkAssignments, ReplaceSkills } from '../../../src/agents/agent-skill.batch.js';
import {
  agentSkillReads,
  ChangeAgentSkill,
  PutAgentSkill,
  RemoveAgentSkill,
} from '../../../src/agents/agent-skill.link.js';
import { Rebuild } from '../../../src/kernel/rebuild.js';
import { skillFactsOf } from '../../../src/skills/skill.lookup.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { isSoak } from '../../soak.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld, outcomesOf } from '../skills/catalog-world.js';

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

function list({ database, hostId, visibility }: CatalogWorld, agentDefId: string) {
  return agentSkillReads.list(database.of(hostId), visibility, { limit: 50, active: 'true' }, { agentDefId });
}

async function agentWith(database: OpenDatabase) {
  const world = new CatalogWorld(database);
  return { world, agentDefId: await world.createAgent('account-agent') };
}

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('several skills are assigned at once, one event each', async () => {
    const { world, agentDefId } = await agentWith(database);
    const { skillId: a } = await world.skillWithTool('A');
    const { skillId: b } = await world.skillWithTool('B');
    expect(await world.assign(agentDefId, a, b)).toHaveLength(2);
    expect(await world.log('AgentSkillCreatedEvent')).toHaveLength(2);
    const page = await list(world, agentDefId);
    expect(page.items).toMatchObject([
      { skillId: a, skillName: 'A', sequenceId: 0 },
      { skillId: b, skillName: 'B', sequenceId: 1 },
    ]);
  });

  test('all or none, with every problem named; validate says the same without writing', async () => {
    const { world, agentDefId } = await agentWith(database);
    const { skillId: fit } = await world.skillWithTool('Fit');
    const { skillId: had } = await world.skillWithTool('Had');
    await world.assign(agentDefId, had);
    const { id: bare } = await world.createSkill('Bare');
    const { skillId: off, toolId } = await world.skillWithTool('Off');
    await world.deactivateSkill(off);
    await world.deactivateTool(toolId);
    const before = await world.log();
    const all = [fit, bare, off, had, nowhere];
    await expect(world.assign(agentDefId, ...all)).rejects.toMatchObject({
      code: 'skill_without_active_tool',
      faults: [
        { pointer: '/skills/1' },
        { pointer: '/skills/2' },
        { pointer: '/skills/2' },
        { pointer: '/skills/3' },
        { pointer: '/skills/4' },
      ],
    });
    const skills = all.map((skillId) => ({ skillId, config: {}, priority: 1, sequenceId: 0 }));
    const items = await checkAssignments(
      world.database.of(world.hostId),
      { agentDefId, skills },
      world.writer,
    );
    expect(items.map(({ ok, problems }) => [ok, ...problems.map(({ code }) => code)])).toEqual([
      [true],
      [false, 'skill_without_active_tool'],
      [false, 'skill_inactive', 'skill_without_active_tool'],
      [false, 'already_assigned'],
      [false, 'skill_not_found'],
    ]);
    expect(await world.log()).toEqual(before);
  });

  test('the whole set is replaced, and what stays need not pass the rule', async () => {
    const { world, agentDefId } = await agentWith(database);
    const [a, b, c] = [
      await world.skillWithTool('A'),
      await world.skillWithTool('B'),
      await world.skillWithTool('C'),
    ];
    await world.assign(agentDefId, a.skillId, b.skillId);
    await world.deactivateTool(a.toolId);
    const items = await world.replace(agentDefId, a.skillId, c.skillId);
    expect(items.map(({ changed }) => changed)).toEqual([true, false, true]);
    await expect(world.replace(agentDefId, c.skillId, a.skillId)).rejects.toThrow(
      refusal('skill_without_active_tool'),
    );
    await expect(world.replace(agentDefId, c.skillId, c.skillId)).rejects.toThrow(refusal('invalid_body'));
    await world.replace(agentDefId);
    expect(
      await world.database
        .of(world.hostId)
        .query('SELECT FROM agent_skill_read WHERE host_id = $1 AND active', [world.hostId]),
    ).toHaveLength(0);
  });

  test('one by one: put, patch, delete', async () => {
    const { world, agentDefId } = await agentWith(database);
    const { skillId, toolId } = await world.skillWithTool('A');
    const pair = { agentDefId, skillId };
    const terms = { config: {}, priority: 0, sequenceId: 0 };
    const put = (skill: string) =>
      world.execute(new PutAgentSkill(world.writer, { ...pair, skillId: skill, ...terms }));
    const change = (priority: number) =>
      world.execute(new ChangeAgentSkill(world.writer, { ...pair, priority }));
    const remove = () => world.execute(new RemoveAgentSkill(world.writer, pair));
    await expect(change(1)).rejects.toThrow(refusal('not_found'));
    expect(await put(skillId)).toMatchObject({ version: 1, created: true });
    expect(await change(1)).toMatchObject({ version: 2, changed: true });
    expect(await change(1)).toMatchObject({ version: 2, changed: false });
    await world.deactivateTool(toolId);
    await expect(change(2)).rejects.toThrow(refusal('skill_without_active_tool'));
    await remove();
    await expect(remove()).rejects.toThrow(refusal('not_found'));
    await expect(change(2)).rejects.toThrow(refusal('not_found'));
    await expect(put(skillId)).rejects.toThrow(refusal('skill_without_active_tool'));
    await expect(put(nowhere)).rejects.toThrow(refusal('not_found'));
  });

  test('only an administrator loosens the limit of an assignment, and everybody is told beforehand', async () => {
    const { world, agentDefId } = await agentWith(database);
    const { skillId } = await world.skillWithTool('A');
    const author = { ...world.caller, scopes: new Set(['catalog:write'] as const) };
    const byAuthor = () => ({ ...world.writer, caller: author });
    const pair = { agentDefId, skillId };
    const limited = (tier?: 'public' | 'internal') => ({
      config: tier === undefined ? {} : { maxSensitivityTier: tier },
      priority: 0,
      sequenceId: 0,
    });
    const refused = refusal('insufficient_scope');
    const put = (tier?: 'public' | 'internal') =>
      world.execute(new PutAgentSkill(byAuthor(), { ...pair, ...limited(tier) }));
    await put('public');
    await expect(put('internal')).rejects.toThrow(refused);
    await expect(put()).rejects.toThrow(refused);
    const change = (terms: { readonly config?: object; readonly priority?: number }) =>
      world.execute(new ChangeAgentSkill(byAuthor(), { ...pair, ...terms }));
    await expect(change({ config: {} })).rejects.toThrow(refused);
    expect(await change({ priority: 1 })).toMatchObject({ changed: true });
    const selection = { agentDefId, skills: [{ skillId, ...limited() }] };
    await expect(world.execute(new ReplaceSkills(byAuthor(), selection))).rejects.toThrow(refused);
    await world.execute(new RemoveAgentSkill(byAuthor(), pair));
    await expect(world.execute(new AssignSkills(byAuthor(), selection))).rejects.toThrow(refused);
    const sql = world.database.of(world.hostId);
    expect(await checkAssignments(sql, selection, byAuthor())).toMatchObject([
      { problems: [{ code: 'insufficient_scope' }] },
    ]);
    expect(await checkAssignments(sql, selection, world.writer)).toMatchObject([{ ok: true }]);
    await world.execute(new AssignSkills(world.writer, selection));
  });

  test('an API version without a profile is no agent yet, and one not covered is none at all', async () => {
    const { world } = await agentWith(database);
    const { skillId } = await world.skillWithTool('A');
    await expect(world.assign(nowhere, skillId)).rejects.toThrow(refusal('not_found'));
    const foreign = await world.createAgent('foreign', 'payments');
    await expect(world.assign(foreign, skillId)).rejects.toThrow(refusal('not_found'));
    await expect(list(world, foreign)).rejects.toThrow(refusal('not_found'));
    await world.database.asOwner.query(
      'DELETE FROM agent_definition_t WHERE host_id = $1 AND agent_def_id <> $2',
      [world.hostId, foreign],
    );
    const [{ api_version_id: bare } = { api_version_id: '' }] = await world.database.of(world.hostId).query<{
      api_version_id: string;
    }>(`SELECT api_version_id FROM api_version_read WHERE service_id = 'accounts'`);
    await expect(world.assign(bare, skillId)).rejects.toThrow(refusal('not_found'));
  });

  test('assignments race with the end of the last active tool: none is written after it', async () => {
    const { world, agentDefId } = await agentWith(database);
    const ends = ['tool', 'link', 'skill'] as const;
    for (let pair = 0; pair < (isSoak ? 50 : 12); pair += 1) {
      const { skillId, toolId } = await world.skillWithTool(`Skill ${String(pair)}`);
      const end = ends[pair % ends.length];
      const ending = () => {
        if (end === 'tool') return world.deactivateTool(toolId);
        if (end === 'link') return world.unlink(skillId, toolId);
        return world.deactivateSkill(skillId);
      };
      const assigning = () => world.assign(agentDefId, skillId);
      const [first, second] = pair % 2 === 0 ? [assigning, ending] : [ending, assigning];
      await Promise.allSettled([first(), second()]);
      const [created] = (await world.log('AgentSkillCreatedEvent')).filter(({ data }) =>
        data.includes(skillId),
      );
      const ended = (
        await world.log('ToolDeactivatedEvent', 'SkillToolDeletedEvent', 'SkillDeactivatedEvent')
      ).find(({ aggregate_id, data }) => [skillId, toolId].includes(aggregate_id) || data.includes(skillId));
      expect(ended).toBeDefined();
      if (created !== undefined) expect(created.position).toBeLessThan(ended?.position ?? 0);
    }
  });

  test('fifty equal assignments of one skill at once: one is made', async () => {
    const { world, agentDefId } = await agentWith(database);
    const { skillId } = await world.skillWithTool('A');
    const counts = await outcomesOf(Array.from({ length: 50 }, () => world.assign(agentDefId, skillId)));
    expect(counts).toEqual({ done: 50 });
    expect(await world.log('AgentSkillCreatedEvent')).toHaveLength(1);
  });

  test('facts of a skill look at its own links and the own flags of their tools', async () => {
    const { world } = await agentWith(database);
    const { skillId, toolId } = await world.skillWithTool('A');
    const fact = async () =>
      (await skillFactsOf(world.database.of(world.hostId), world.hostId, [skillId])).get(skillId);
    expect(await fact()).toEqual({ skillId, name: 'A', active: true, hasActiveTool: true });
    await world.deactivateTool(toolId);
    expect(await fact()).toMatchObject({ hasActiveTool: false });
    await world.deactivateSkill(skillId);
    expect(await fact()).toMatchObject({ active: false });
    await world.activateSkill(skillId);
    expect(await fact()).toMatchObject({ active: true });
  });

  test('a rebuild gives the same rows', async () => {
    const { world, agentDefId } = await agentWith(database);
    const [a, b] = [await world.skillWithTool('A'), await world.skillWithTool('B')];
    await world.assign(agentDefId, a.skillId, b.skillId);
    await world.replace(agentDefId, b.skillId);
    const rows = () =>
      Promise.all([
        world.database.asOwner.query('SELECT * FROM agent_definition_t WHERE host_id = $1', [world.hostId]),
        world.database.asOwner.query('SELECT * FROM agent_skill_t WHERE host_id = $1 ORDER BY skill_id', [
          world.hostId,
        ]),
      ]);
    const before = await rows();
    await new Rebuild(world.database, world.domain).run();
    expect(await rows()).toEqual(before);
  });
});
