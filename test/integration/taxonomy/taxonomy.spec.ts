import { Rebuild } from '../../../src/kernel/rebuild.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { PutSkillTaxonomy } from '../../../src/skills/skill.record.js';
import { CreateCategory, DeleteCategory, UpdateCategory } from '../../../src/taxonomy/category.record.js';
import { globalHostId, type EntityType } from '../../../src/taxonomy/term.fields.js';
import { CreateTag, DeleteTag, UpdateTag } from '../../../src/taxonomy/tag.record.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld, outcomesOf, type Receipt } from '../skills/catalog-world.js';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

class TaxonomyWorld extends CatalogWorld {
  category(categoryName: string, parentCategoryId: string | null = null): Promise<Receipt> {
    const fields = { entityType: 'skill', categoryName, categoryDesc: null, parentCategoryId } as const;
    return this.execute(new CreateCategory(this.writer, fields));
  }

  move(categoryId: string, parentCategoryId: string): Promise<Receipt> {
    return this.execute(new UpdateCategory(this.writer, { categoryId, parentCategoryId }));
  }

  tag(tagName: string, entityType: EntityType = 'skill'): Promise<Receipt> {
    return this.execute(new CreateTag(this.writer, { entityType, tagName, tagDesc: null }));
  }

  deleteTag(tagId: string): Promise<Receipt> {
    return this.execute(new DeleteTag(this.writer, { tagId }));
  }

  classify(skillId: string, selection: { categoryIds?: string[]; tagIds?: string[] }): Promise<Receipt> {
    return this.execute(new PutSkillTaxonomy(this.writer, { skillId, ...selection }));
  }

  /** What the floors above read. */
  async read(skillId: string): Promise<unknown> {
    const [row] = await this.database.of(this.hostId).query(
      `SELECT categories, tags, position FROM taxonomy_read
       WHERE host_id = $1 AND entity_type = 'skill' AND entity_id = $2`,
      [this.hostId, skillId],
    );
    return row;
  }
}

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('a skill is saved with its taxonomy by one write of two events', async () => {
    const world = new TaxonomyWorld(database);
    const category = await world.category('care');
    const tag = await world.tag('accounts');
    const { id } = await world.createSkill('Accounts', { categoryIds: [category.id], tagIds: [tag.id] });
    const log = await world.log();
    expect(log.map(({ event_type }) => event_type).slice(2)).toEqual([
      'SkillCreatedEvent',
      'EntityTaxonomyReplacedEvent',
    ]);
    expect(await world.read(id)).toEqual({ categories: ['care'], tags: ['accounts'], position: 4 });
    await world.updateSkill(id, { tagIds: [], version: '2.0.0' });
    expect(await world.read(id)).toEqual({ categories: ['care'], tags: [], position: 6 });
  });

  test('what is selected must be there, for this kind of thing', async () => {
    const world = new TaxonomyWorld(database);
    const { id } = await world.createSkill('Accounts');
    const forTools = await world.tag('accounts', 'tool');
    await expect(world.classify(id, { tagIds: [forTools.id] })).rejects.toThrow(refusal('tag_not_found'));
    const own = await world.tag('accounts');
    await world.deleteTag(own.id);
    await expect(world.classify(id, { tagIds: [own.id] })).rejects.toThrow(refusal('tag_not_found'));
    const stranger = new TaxonomyWorld(database);
    const foreign = await stranger.category('care');
    const mixed = world.classify(id, { categoryIds: [foreign.id] });
    await expect(mixed).rejects.toMatchObject({
      code: 'category_not_found',
      faults: [{ pointer: '/categoryIds/0' }],
    });
    expect(await world.read(id)).toBeUndefined();
  });

  test('a new name shows wherever it is selected, and moves the position; a deleted one is gone', async () => {
    const world = new TaxonomyWorld(database);
    const tag = await world.tag('accounts');
    const { id } = await world.createSkill('Accounts', { tagIds: [tag.id] });
    const renamed = await world.execute(
      new UpdateTag(world.writer, { tagId: tag.id, tagName: 'households' }),
    );
    expect(await world.read(id)).toEqual({
      categories: [],
      tags: ['households'],
      position: renamed.position,
    });
    const gone = await world.deleteTag(tag.id);
    expect(await world.read(id)).toEqual({ categories: [], tags: [], position: gone.position });
  });

  test('names race: one of each is made; categories form no circle; a parent keeps its children', async () => {
    const world = new TaxonomyWorld(database);
    const names = Array.from({ length: 10 }, (_, n) => `name-${String(n)}`);
    expect(await outcomesOf(names.flatMap((name) => [world.tag(name), world.tag(name)]))).toEqual({
      done: 10,
      tag_name_taken: 10,
    });
    expect(await outcomesOf(names.flatMap((name) => [world.category(name), world.category(name)]))).toEqual({
      done: 10,
      category_name_taken: 10,
    });
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await world.category(`a-${String(round)}`), await world.category(`b-${String(round)}`)];
      const counts = await outcomesOf([world.move(a.id, b.id), world.move(b.id, a.id)]);
      expect(counts).toEqual({ done: 1, category_cycle: 1 });
      const parent = await world.category(`parent-${String(round)}`);
      const adoption = await outcomesOf([
        world.category('child', parent.id),
        world.execute(new DeleteCategory(world.writer, { categoryId: parent.id })),
      ]);
      expect([
        { done: 1, category_has_children: 1 },
        { done: 1, parent_category_not_found: 1 },
      ]).toContainEqual(adoption);
    }
    await expect(world.category('name-0', (await world.category('other')).id)).resolves.toBeDefined();
  });

  test('a global entry is selected by every host, changed by none, and kept by the name that it had', async () => {
    const world = new TaxonomyWorld(database);
    const globals = new TaxonomyWorld(database, globalHostId);
    const name = `global-${world.hostId}`;
    const { id: tagId } = await globals.tag(name);
    const { id } = await world.createSkill('Accounts', { tagIds: [tagId] });
    const seen = await world.read(id);
    expect(seen).toMatchObject({ tags: [name] });
    const change = (who: TaxonomyWorld) =>
      who.execute(new UpdateTag(who.writer, { tagId, tagName: `${name}-2` }));
    await expect(change(world)).rejects.toThrow(refusal('global_read_only'));
    await change(globals);
    expect(await world.read(id)).toEqual(seen);
    const other = await world.createSkill('Payments', { tagIds: [tagId] });
    expect(await world.read(other.id)).toMatchObject({ tags: [`${name}-2`] });
  });

  test('a rebuild gives the same rows', async () => {
    const world = new TaxonomyWorld(database);
    const [care, desk] = [await world.category('care'), await world.category('desk')];
    const [a, b] = [await world.tag('a'), await world.tag('b')];
    const { id } = await world.createSkill('Accounts', { categoryIds: [care.id, desk.id], tagIds: [a.id] });
    await world.classify(id, { categoryIds: [desk.id], tagIds: [b.id] });
    await world.deleteTag(a.id);
    await world.tag('a');
    const tables = ['category_t', 'tag_t', 'entity_taxonomy_t', 'entity_category_t', 'entity_tag_t'];
    const rows = () =>
      Promise.all(tables.map((table) => database.asOwner.query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)));
    const before = await rows();
    await new Rebuild(database, world.domain).run();
    expect(await rows()).toEqual(before);
    expect(before.map((each) => each.length > 0)).toEqual(tables.map(() => true));
  });
});
