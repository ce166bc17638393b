import { agentScopeWith, linksWith } from '../../agent-scope.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import {
  PutSkillDependency,
  RemoveSkillDependency,
  skillDependencyReads,
} from '../../../src/skills/links/skill-dependency.link.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld, outcomesOf, type Receipt } from './catalog-world.js';

const firstPage = { limit: 50, active: 'true' } as const;
const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

/** Makes the first skill depend on the second. */
function depend(world: CatalogWorld, pair: readonly [string, string], required = true): Promise<Receipt> {
  const [skillId, dependsOnSkillId] = pair;
  return world.execute(new PutSkillDependency(world.writer, { skillId, dependsOnSkillId, required }));
}

function free(world: CatalogWorld, [skillId, dependsOnSkillId]: readonly [string, string]): Promise<Receipt> {
  return world.execute(new RemoveSkillDependency(world.writer, { skillId, dependsOnSkillId }));
}

async function skills(world: CatalogWorld, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await world.createSkill(name)).id);
  return ids;
}

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('a dependency is made, changed, taken away and made again', async () => {
    const world = new CatalogWorld(database);
    const [a = '', b = ''] = await skills(world, 'A', 'B');
    expect(await depend(world, [a, b])).toMatchObject({ version: 1, changed: true });
    expect(await depend(world, [a, b])).toMatchObject({ version: 1, changed: false });
    expect(await depend(world, [a, b], false)).toMatchObject({ version: 2, changed: true });
    expect(await free(world, [a, b])).toMatchObject({ version: 3 });
    await expect(free(world, [a, b])).rejects.toThrow(refusal('not_found'));
    const read = () =>
      world.database
        .of(world.hostId)
        .query('SELECT skill_id, required, active, position FROM skill_dependency_read WHERE host_id = $1', [
          world.hostId,
        ]);
    expect(await read()).toEqual([{ skill_id: a, required: false, active: false, position: 5 }]);
    expect(await depend(world, [b, a])).toMatchObject({ version: 1 });
    await free(world, [b, a]);
    expect(await depend(world, [a, b])).toMatchObject({ version: 4 });
  });

  test('no circle is closed, of one, two or many', async () => {
    const world = new CatalogWorld(database);
    const [a = '', b = '', c = '', d = ''] = await skills(world, 'A', 'B', 'C', 'D');
    await expect(depend(world, [a, a])).rejects.toThrow(refusal('skill_cycle'));
    await depend(world, [a, b]);
    await expect(depend(world, [b, a])).rejects.toThrow(refusal('skill_cycle'));
    await depend(world, [b, c]);
    await depend(world, [c, d], false);
    await expect(depend(world, [d, a])).rejects.toThrow(refusal('skill_cycle'));
    await depend(world, [a, d]);
    await free(world, [b, c]);
    await depend(world, [c, a]);
    await expect(depend(world, [a, nowhere])).rejects.toThrow(refusal('not_found'));
    await expect(depend(world, [nowhere, a])).rejects.toThrow(refusal('not_found'));
  });

  test('of two that would close a circle at once, one is refused', async () => {
    const world = new CatalogWorld(database);
    for (let round = 0; round < 10; round += 1) {
      const [a = '', b = '', c = ''] = await skills(
        world,
        `A${String(round)}`,
        `B${String(round)}`,
        `C${String(round)}`,
      );
      await depend(world, [c, a]);
      const counts = await outcomesOf([depend(world, [a, b]), depend(world, [b, c])]);
      expect(counts).toEqual({ done: 1, skill_cycle: 1 });
    }
  });

  test('a narrowed token sees and makes dependencies only among the skills of its agent', async () => {
    const world = new CatalogWorld(database);
    const [a = '', b = '', c = ''] = await skills(world, 'A', 'B', 'C');
    await depend(world, [a, b]);
    await depend(world, [a, c]);
    const within = agentScopeWith({ skillIds: [a, b], ...linksWith(a, { dependsOn: [b] }) });
    const narrowed = { ...world.visibility, within };
    const list = (skillId: string) =>
      skillDependencyReads.list(world.database.of(world.hostId), narrowed, firstPage, { skillId });
    expect((await list(a)).items).toMatchObject([{ dependsOnSkillId: b, skillName: 'B', required: true }]);
    await expect(list(c)).rejects.toThrow(refusal('not_found'));
    const unseen = { skillId: b, dependsOnSkillId: c, required: true };
    const writer = { ...world.writer, visibility: narrowed };
    await expect(world.execute(new PutSkillDependency(writer, unseen))).rejects.toThrow(refusal('not_found'));
  });
});
