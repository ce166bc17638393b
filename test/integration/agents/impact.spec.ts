import { agentScopeWith } from '../../agent-scope.js';
import { ImpactQuery } from '../../../src/agents/impact.queries.js';
import type { ImpactSubject } from '../../../src/endpoints/impact/impact.lookup.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import type { Visibility } from '../../../src/platform/auth/visibility.js';
import { PutSkillDependency } from '../../../src/skills/links/skill-dependency.link.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld } from '../skills/catalog-world.js';

/** Two skills on one tool, the first with one of its own; both agents have the first, one has both. */
async function worldOf(database: OpenDatabase) {
  const world = new CatalogWorld(database);
  const first = await world.skillWithTool('First');
  const { id: second } = await world.createSkill('Second');
  const { id: shared } = await world.createTool('shared');
  await world.link(first.skillId, shared);
  await world.link(second, shared);
  const one = await world.createAgent('one');
  const other = await world.createAgent('other', 'accounts');
  await world.assign(one, first.skillId, second);
  await world.assign(other, first.skillId);
  const impact = (kind: ImpactSubject['kind'], id: string, visibility: Visibility = world.visibility) =>
    new ImpactQuery().of(world.database.of(world.hostId), visibility, { kind, id });
  return { world, first, second, shared, one, other, impact };
}

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('of a tool: the skills that lose it, some their last one, and their agents', async () => {
    const { world, first, second, shared, one, other, impact } = await worldOf(database);
    const { tools, skills, agents } = await impact('tool', shared);
    expect(tools).toEqual([{ toolId: shared, name: 'shared' }]);
    expect(skills).toEqual([
      { skillId: first.skillId, name: 'First', effect: 'fewer_tools' },
      { skillId: second, name: 'Second', effect: 'no_tools' },
    ]);
    expect(agents).toEqual([
      {
        ...{ agentDefId: one, name: 'one', serviceId: 'accounts', envTag: 'dev' },
        skillIds: [first.skillId, second].sort(),
      },
      { agentDefId: other, name: 'other', serviceId: 'accounts', envTag: 'dev', skillIds: [first.skillId] },
    ]);
    await world.unlink(second, shared);
    expect((await impact('tool', shared)).skills).toMatchObject([{ name: 'First' }]);
    await world.deactivateTool(shared);
    expect(await impact('tool', shared)).toEqual({ tools: [], skills: [], agents: [], workflows: [] });
  });

  test('of a skill: itself, the skills that need it, and their agents', async () => {
    const { world, first, second, one, other, impact } = await worldOf(database);
    const depend = (required: boolean) => {
      const input = { skillId: first.skillId, dependsOnSkillId: second, required };
      return world.execute(new PutSkillDependency(world.writer, input));
    };
    await depend(false);
    expect((await impact('skill', second)).skills).toEqual([
      { skillId: second, name: 'Second', effect: 'inactive' },
    ]);
    await depend(true);
    const { tools, skills, agents } = await impact('skill', second);
    expect(tools).toEqual([]);
    expect(skills).toEqual([
      { skillId: first.skillId, name: 'First', effect: 'dependency_missing' },
      { skillId: second, name: 'Second', effect: 'inactive' },
    ]);
    expect(agents.map(({ agentDefId }) => agentDefId)).toEqual([one, other]);
    await world.deactivateSkill(second);
    expect(await impact('skill', second)).toEqual({ tools: [], skills: [], agents: [], workflows: [] });
  });

  test('is cut to what the reader may see', async () => {
    const { world, first, second, shared, one, impact } = await worldOf(database);
    const elsewhere = { ...world.visibility, services: ['payments'] };
    expect((await impact('tool', shared, elsewhere)).agents).toEqual([]);
    const low = { ...world.visibility, tiers: ['public'] as const };
    expect((await impact('tool', shared, low)).tools).toEqual([]);
    const within = agentScopeWith({ agentDefIds: [one], skillIds: [second], toolIds: [shared] });
    const narrowed = await impact('tool', shared, { ...world.visibility, within });
    expect(narrowed.skills).toMatchObject([{ skillId: second, effect: 'no_tools' }]);
    expect(narrowed.agents).toMatchObject([{ agentDefId: one, skillIds: [second] }]);
    expect(JSON.stringify(narrowed)).not.toContain(first.skillId);
  });
});
