import { slices } from '../../../src/app.module.js';
import { Domain } from '../../../src/kernel/domain.js';
import { CatalogCache } from '../../../src/effective-catalog/delivery/catalog-cache.service.js';
import type {
  CatalogQuestion,
  MadeCatalog,
} from '../../../src/effective-catalog/effective-catalog.queries.js';
import { LatestWrites } from '../../../src/effective-catalog/latest-writes.service.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { NoHeads } from '../../no-heads.js';
import { GivenHeads } from '../../given-heads.js';
import { eachDatabase } from '../databases.js';
import { overheard } from '../overheard.js';
import { CatalogWorld } from '../skills/catalog-world.js';

eachDatabase((open) => {
  let database: OpenDatabase;
  let world: CatalogWorld;
  let heads: GivenHeads;
  let cache: CatalogCache;
  let question: CatalogQuestion;
  let skillId: string;
  let toolId: string;
  /** Of the cache. */
  let statements = 0;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    heads = new GivenHeads();
    cache = new CatalogCache(
      overheard(database, () => (statements += 1)),
      heads,
      new LatestWrites(heads, new Domain(slices)),
    );
    world = new CatalogWorld(database, undefined, heads);
    const agentDefId = await world.createAgent('Teller');
    ({ skillId, toolId } = await world.skillWithTool('Mine'));
    await world.assign(agentDefId, skillId);
    const registration = {
      hostId: world.hostId,
      agentDefId,
      services: 'all' as const,
      environments: ['dev'],
    };
    question = { ...registration, withheld: true, examples: true };
    await cache.read(question);
    statements = 0;
  });

  const fresh = (): MadeCatalog | Promise<MadeCatalog> => {
    const heads = new NoHeads();
    return new CatalogCache(database, heads, new LatestWrites(heads, world.domain)).read(question);
  };
  const said = ({ bytes, etag, version }: MadeCatalog) => ({ text: bytes.toString(), etag, version });

  it('a catalog is given from memory over writes that do not affect it', async () => {
    const before = await cache.read(question);
    const { skillId: other } = await world.skillWithTool('Other');
    await world.updateSkill(other, { description: 'Changed.' });
    const { id: idle } = await world.createTool('idle');
    await world.link(other, idle);
    await world.unlink(other, idle);
    expect(cache.read(question)).toBe(before);
    expect(statements).toBe(0);
    expect(said(before)).toEqual(said(await fresh()));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['its skill', () => world.updateSkill(skillId, { description: 'Changed.' })],
    ['its tool', () => world.deactivateTool(toolId)],
    ['a link of its skill', async () => world.link(skillId, (await world.createTool('next')).id)],
    ['one that goes', () => world.unlink(skillId, toolId)],
    [
      'an assignment',
      async () => world.assign(question.agentDefId, (await world.skillWithTool('Next')).skillId),
    ],
  ])('a write is seen that affects %s, also behind one that does not', async (_, write) => {
    const before = await cache.read(question);
    await world.createSkill('Before');
    await write();
    await world.createSkill('After');
    const now = await cache.read(question);
    expect(now.etag).not.toBe(before.etag);
    expect(said(now)).toEqual(said(await fresh()));
    expect(statements).toBe(1);
  });

  it('a write of another instance is seen, also among own ones that do not affect the catalog', async () => {
    const another = new CatalogWorld(database, world.hostId);
    await world.createSkill('Before');
    const { position } = await another.updateSkill(skillId, { description: 'From elsewhere.' });
    heads.set(world.hostId, position);
    expect(said(await cache.read(question)).text).toContain('From elsewhere.');
    await another.updateSkill(skillId, { description: 'Once more.' });
    await world.createSkill('After');
    expect(said(await cache.read(question)).text).toContain('Once more.');
    expect(statements).toBe(2);
  });
});
