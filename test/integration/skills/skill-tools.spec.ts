import { agentScopeWith, linksWith } from '../../agent-scope.js';
import type { Visibility } from '../../../src/platform/auth/visibility.js';
import { PutSkillTool, skillToolReads } from '../../../src/skills/links/skill-tool.link.js';
import type { LinkBody } from '../../../src/skills/links/skill-tool.rules.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld } from './catalog-world.js';

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

/** The links of a skill that the world sees, or who else is said to look. */
function list(world: CatalogWorld, skillId: string, visibility: Visibility = world.visibility) {
  const query = { limit: 50, active: 'all' } as const;
  return skillToolReads.list(world.database.of(world.hostId), visibility, query, { skillId });
}

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('a link is written with the least level that admits the tool, once', async () => {
    const world = new CatalogWorld(database);
    const { id: skillId } = await world.createSkill('Accounts');
    const reading = await world.createTool('reading', { readOnly: true });
    const writing = await world.createTool('writing');
    const deleting = await world.createTool('deleting', { destructive: true });
    for (const { id } of [reading, writing, deleting]) await world.link(skillId, id);
    const page = await list(world, skillId);
    expect(page.items.map(({ toolName, accessLevel }) => [toolName, accessLevel])).toEqual([
      ['deleting', 'execute'],
      ['reading', 'read'],
      ['writing', 'write'],
    ]);
    expect(await world.link(skillId, reading.id)).toMatchObject({ version: 1, changed: false });
    expect(await world.link(skillId, reading.id, { accessLevel: 'execute', config: {} })).toMatchObject({
      version: 2,
    });
  });

  test('a link that was taken away is gone, and may be made again', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    expect(await world.unlink(skillId, toolId)).toMatchObject({ version: 2, changed: true });
    await expect(world.unlink(skillId, toolId)).rejects.toThrow(refusal('not_found'));
    const get = () =>
      skillToolReads.get(world.database.of(world.hostId), world.visibility, { skillId, toolId });
    await expect(get()).rejects.toThrow(refusal('not_found'));
    expect(await world.link(skillId, toolId)).toMatchObject({ version: 3, changed: true });
    expect(await get()).toMatchObject({ active: true, aggregateVersion: 3 });
  });

  test('what does not exist can be neither linked nor listed', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    await expect(world.link(nowhere, toolId)).rejects.toThrow(refusal('not_found'));
    await expect(world.link(skillId, nowhere)).rejects.toThrow(refusal('not_found'));
    await expect(world.unlink(skillId, nowhere)).rejects.toThrow(refusal('not_found'));
    await expect(list(world, nowhere)).rejects.toThrow(refusal('not_found'));
  });

  test('only an administrator sets an approval workflow', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    const author = { ...world.caller, scopes: new Set(['catalog:write'] as const) };
    const approved = { accessLevel: 'write' as const, config: { approvalWorkflow: 'ops/approve' } };
    const byAuthor = (body: LinkBody) =>
      world.execute(new PutSkillTool({ ...world.writer, caller: author }, { skillId, toolId, ...body }));
    await expect(byAuthor(approved)).rejects.toThrow(refusal('insufficient_scope'));
    await world.link(skillId, toolId, approved);
    expect(await byAuthor({ ...approved, accessLevel: 'execute' })).toMatchObject({ changed: true });
    const other = { config: { approvalWorkflow: 'ops/other' } };
    await expect(byAuthor(other)).rejects.toThrow(refusal('insufficient_scope'));
    expect(await byAuthor({ config: {} })).toMatchObject({ changed: true });
    await expect(byAuthor(approved)).rejects.toThrow(refusal('insufficient_scope'));
  });

  test('only an administrator loosens the limit of a link, also one that was taken away', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    const author = { ...world.caller, scopes: new Set(['catalog:write'] as const) };
    const byAuthor = (config: LinkBody['config']) =>
      world.execute(new PutSkillTool({ ...world.writer, caller: author }, { skillId, toolId, config }));
    expect(await byAuthor({ maxSensitivityTier: 'confidential' })).toMatchObject({ changed: true });
    expect(await byAuthor({ maxSensitivityTier: 'internal' })).toMatchObject({ changed: true });
    await expect(byAuthor({ maxSensitivityTier: 'restricted' })).rejects.toThrow(
      refusal('insufficient_scope'),
    );
    await expect(byAuthor({})).rejects.toThrow(refusal('insufficient_scope'));
    await world.unlink(skillId, toolId);
    await expect(byAuthor({})).rejects.toThrow(refusal('insufficient_scope'));
    expect(await byAuthor({ maxSensitivityTier: 'internal' })).toMatchObject({ changed: true });
    expect(await world.link(skillId, toolId)).toMatchObject({ changed: true });
    expect(await byAuthor({ maxSensitivityTier: 'restricted' })).toMatchObject({ changed: true });
  });

  test('a tool that the token does not cover is like none', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    await world.database.asOwner.query(
      `UPDATE tool_t SET service_id = 'payments', env_tag = 'dev' WHERE host_id = $1`,
      [world.hostId],
    );
    await expect(world.link(skillId, toolId)).rejects.toThrow(refusal('not_found'));
    await expect(world.unlink(skillId, toolId)).rejects.toThrow(refusal('not_found'));
    expect(await list(world, skillId)).toEqual({ items: [] });
    await world.database.asOwner.query(
      `UPDATE tool_t SET service_id = 'accounts', env_tag = 'prod' WHERE host_id = $1`,
      [world.hostId],
    );
    expect(await list(world, skillId)).toEqual({ items: [] });
    await world.database.asOwner.query(
      `UPDATE tool_t SET env_tag = NULL, sensitivity_tier = 'restricted' WHERE host_id = $1`,
      [world.hostId],
    );
    expect((await list(world, skillId)).items).toHaveLength(1);
    const low = { ...world.visibility, tiers: ['public', 'internal'] as const };
    expect(await list(world, skillId, low)).toEqual({ items: [] });
  });

  test('a narrowed token reaches what its agent has, and no more', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    const other = await world.skillWithTool('Payments');
    await world.link(skillId, other.toolId);
    const links = linksWith(skillId, { toolIds: [toolId] });
    const within = agentScopeWith({ skillIds: [skillId], toolIds: [toolId], ...links });
    const narrowed = { ...world.visibility, within };
    const page = await list(world, skillId, narrowed);
    expect(page.items.map((item) => item.toolId)).toEqual([toolId]);
    await expect(list(world, other.skillId, narrowed)).rejects.toThrow(refusal('not_found'));
    const input = { skillId, toolId: other.toolId, config: {} };
    const link = world.execute(new PutSkillTool({ ...world.writer, visibility: narrowed }, input));
    await expect(link).rejects.toThrow(refusal('not_found'));
  });
});
