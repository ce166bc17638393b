import { RuleBroken } from '../../../src/kernel/errors.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { Rebuild } from '../../../src/kernel/rebuild.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { skill } from '../../../src/skills/skill.record.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld, outcomesOf } from './catalog-world.js';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('a skill is written, changed, deactivated and activated again', async () => {
    const world = new CatalogWorld(database);
    const { id } = await world.createSkill('Accounts', { contentMarkdown: '# Do\n' });
    expect(await world.updateSkill(id, { version: '1.1.0' })).toMatchObject({ version: 2, changed: true });
    expect(await world.updateSkill(id, { version: '1.1.0' })).toMatchObject({ version: 2, changed: false });
    await world.deactivateSkill(id);
    const [inactive] = await world.database
      .of(world.hostId)
      .query('SELECT * FROM skill_read WHERE host_id = $1', [world.hostId]);
    expect(inactive).toMatchObject({
      skill_id: id,
      content_markdown: '# Do\n',
      version: '1.1.0',
      active: false,
    });
    await world.activateSkill(id);
    expect((await world.log()).map(({ event_type }) => event_type)).toEqual([
      'SkillCreatedEvent',
      'SkillUpdatedEvent',
      'SkillDeactivatedEvent',
      'SkillActivatedEvent',
    ]);
  });

  test('a name belongs to one active skill', async () => {
    const world = new CatalogWorld(database);
    const first = await world.createSkill('Accounts');
    await expect(world.createSkill('Accounts')).rejects.toThrow(refusal('skill_name_taken'));
    const other = await world.createSkill('Payments');
    await expect(world.updateSkill(other.id, { name: 'Accounts' })).rejects.toThrow(
      refusal('skill_name_taken'),
    );
    await world.deactivateSkill(first.id);
    await world.updateSkill(other.id, { name: 'Accounts' });
    const back = world.activateSkill(first.id);
    await expect(back).rejects.toThrow(refusal('skill_name_taken'));
  });

  test('parents form no circle, also when two are moved at once', async () => {
    const world = new CatalogWorld(database);
    for (let round = 0; round < 10; round += 1) {
      const a = await world.createSkill(`A ${String(round)}`);
      const b = await world.createSkill(`B ${String(round)}`);
      const counts = await outcomesOf([
        world.updateSkill(a.id, { parentSkillId: b.id }),
        world.updateSkill(b.id, { parentSkillId: a.id }),
      ]);
      expect(counts).toEqual({ done: 1, skill_cycle: 1 });
    }
    const orphan = world.createSkill('C', { parentSkillId: '0198c0de-0000-7000-8000-00000000ffff' });
    await expect(orphan).rejects.toThrow(refusal('parent_skill_not_found'));
  });

  test('fifty pairs race for a name: one of each wins', async () => {
    const world = new CatalogWorld(database);
    const pairs = Array.from({ length: 50 }, (_, n) => `Skill ${String(n)}`);
    const counts = await outcomesOf(
      pairs.flatMap((name) => [world.createSkill(name), world.createSkill(name)]),
    );
    expect(counts).toEqual({ done: 50, skill_name_taken: 50 });
    expect(await world.log()).toHaveLength(50);
  });

  test('the table refuses a second active skill of a name, in the words of the rule', async () => {
    const world = new CatalogWorld(database);
    await world.createSkill('Accounts');
    const blind = world.write(() => world.blindCreation('Accounts'));
    await expect(blind).rejects.toThrow(RuleBroken);
    await expect(blind).rejects.toThrow(refusal('skill_name_taken'));
    expect(await world.log()).toHaveLength(1);
  });

  test('skills of before whose names are read alike stay as they are, also after a rebuild', async () => {
    const world = new CatalogWorld(database);
    const first = await world.createSkill('caf\u00e9');
    // As it was written when names were compared letter by letter.
    await world.write(() => world.blindCreation('cafe\u0301'));
    const rows = () =>
      database.asOwner.query<{ name: string; name_folded: string; active: boolean }>(
        'SELECT * FROM skill_t WHERE host_id = $1 ORDER BY skill_id',
        [world.hostId],
      );
    const before = await rows();
    expect(before.map(({ name_folded, active }) => [name_folded, active])).toEqual(
      ['caf\u00e9', 'caf\u00e9'].map((name) => [name, true]),
    );
    await world.updateSkill(first.id, { description: 'Still there.' });
    await expect(world.createSkill('CAF\u00c9')).rejects.toThrow(refusal('skill_name_taken'));
    await new Rebuild(world.database, world.domain).run();
    expect((await rows()).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  });

  test('fifty changes with one If-Match: one wins, 49 conflict', async () => {
    const world = new CatalogWorld(database);
    const { id, version } = await world.createSkill('Accounts');
    const changes = Array.from({ length: 50 }, (_, n) => `Text ${String(n)}`);
    const counts = await outcomesOf(
      changes.map((contentMarkdown) => world.updateSkill(id, { contentMarkdown }, version)),
    );
    expect(counts).toEqual({ done: 1, version_conflict: 49 });
    expect(await world.log('SkillUpdatedEvent')).toHaveLength(1);
  });

  test('fifty changes without If-Match: all are in the log, once each', async () => {
    const world = new CatalogWorld(database);
    const { id } = await world.createSkill('Accounts');
    const changes = Array.from({ length: 50 }, (_, n) => `Text ${String(n)}`);
    const counts = await outcomesOf(
      changes.map((contentMarkdown) => world.updateSkill(id, { contentMarkdown })),
    );
    expect(counts).toEqual({ done: 50 });
    const written = (await world.log('SkillUpdatedEvent')).map(
      ({ data }) => (JSON.parse(data) as { contentMarkdown: string }).contentMarkdown,
    );
    expect(written.sort()).toEqual(changes.sort());
  });

  test('a batch in which skills pass a name on to each other is taken in at once', async () => {
    const world = new CatalogWorld(database);
    const [a, b, c] = [
      await world.createSkill('A'),
      await world.createSkill('B'),
      await world.createSkill('C'),
    ];
    await world.updateSkill(c.id, { name: 'D' });
    await world.deactivateSkill(a.id);
    await world.updateSkill(b.id, { name: 'A' });
    const rows = () =>
      database.asOwner.query('SELECT * FROM skill_t WHERE host_id = $1 ORDER BY skill_id', [world.hostId]);
    const before = await rows();
    const events = await new EventStore(database.of(world.hostId), world.domain.types).readLog(
      world.hostId,
      0,
      100,
    );
    for (const table of ['skill_t', 'skill_history_t'])
      await database.asOwner.query(`DELETE FROM ${table} WHERE host_id = $1`, [world.hostId]);
    await database.asOwner.transaction(async (tx) => skill.projection.apply(tx, events.slice(0, 3)));
    await database.asOwner.transaction(async (tx) => skill.projection.apply(tx, events.slice(3)));
    expect(await rows()).toEqual(before);
  });

  test('a skill that holds what was refused later is changed elsewhere, and not saved with it', async () => {
    const world = new CatalogWorld(database);
    const contentMarkdown = 'a\u009B2K';
    const { id } = await world.write(() => world.blindCreation('Accounts', contentMarkdown));
    expect(await world.updateSkill(id, { description: 'Other.' })).toMatchObject({
      version: 2,
      changed: true,
    });
    const refused = refusal('skill_contains_unsafe_text');
    await expect(world.updateSkill(id, { contentMarkdown })).rejects.toThrow(refused);
    await expect(world.saveSkill({ skillId: id, contentMarkdown, tools: [] })).rejects.toThrow(refused);
    expect(await world.updateSkill(id, { contentMarkdown: 'a 2K' })).toMatchObject({ changed: true });
  });

  test('a rebuild gives the same rows, also where skills have passed names on to each other', async () => {
    const world = new CatalogWorld(database);
    const a = await world.createSkill('A');
    const b = await world.createSkill('B');
    const { skillId, toolId } = await world.skillWithTool('Tools');
    await world.updateSkill(skillId, { name: 'Tool kit' });
    for (let round = 0; round < 3; round += 1) {
      await world.updateSkill(a.id, { name: 'free' });
      await world.updateSkill(b.id, { name: 'A' });
      await world.updateSkill(a.id, { name: 'B' });
      await world.deactivateSkill(b.id);
      await world.updateSkill(a.id, { name: 'A' });
      await world.updateSkill(b.id, { name: 'B' });
      await world.activateSkill(b.id);
    }
    await world.unlink(skillId, toolId);
    const rows = () =>
      Promise.all([
        world.database.asOwner.query('SELECT * FROM skill_t WHERE host_id = $1 ORDER BY skill_id', [
          world.hostId,
        ]),
        world.database.asOwner.query(
          'SELECT * FROM skill_tool_t WHERE host_id = $1 ORDER BY skill_id, tool_id',
          [world.hostId],
        ),
      ]);
    const before = await rows();
    await new Rebuild(world.database, world.domain).run();
    expect(await rows()).toEqual(before);
  });
});
