import { confinesWith, linksWith } from '../../confines.js';
import { planLink } from '../../../src/skills/skill-tool.planner.js';
import {
  GetSkillToolHandler,
  ListSkillToolsHandler,
  ListSkillTools,
  GetSkillTool,
} from '../../../src/skills/skill-tools.queries.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld } from './catalog-world.js';

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

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
    const page = await new ListSkillToolsHandler(world.database).execute(
      new ListSkillTools(world.visibility, skillId, { limit: 50, active: 'true' }),
    );
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
      new GetSkillToolHandler(world.database).execute(new GetSkillTool(world.visibility, skillId, toolId));
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
    const list = new ListSkillTools(world.visibility, nowhere, { limit: 50, active: 'all' });
    await expect(new ListSkillToolsHandler(world.database).execute(list)).rejects.toThrow(
      refusal('not_found'),
    );
  });

  test('only an administrator sets an approval workflow', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    const author = { ...world.caller, scopes: new Set(['catalog:write'] as const) };
    const request = { caller: author, visibility: world.visibility, skillId, toolId };
    const approved = { accessLevel: 'write' as const, config: { approvalWorkflow: 'ops/approve' } };
    const byAuthor = (body: Parameters<typeof planLink>[2]) =>
      world.write((sql) => planLink(sql, request, body));
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
    const request = { caller: author, visibility: world.visibility, skillId, toolId };
    const byAuthor = (config: Parameters<typeof planLink>[2]['config']) =>
      world.write((sql) => planLink(sql, request, { config }));
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
    const list = new ListSkillTools(world.visibility, skillId, { limit: 50, active: 'all' });
    const handler = new ListSkillToolsHandler(world.database);
    expect(await handler.execute(list)).toEqual({ items: [] });
    await world.database.asOwner.query(
      `UPDATE tool_t SET service_id = 'accounts', env_tag = 'prod' WHERE host_id = $1`,
      [world.hostId],
    );
    expect(await handler.execute(list)).toEqual({ items: [] });
    await world.database.asOwner.query(
      `UPDATE tool_t SET env_tag = NULL, sensitivity_tier = 'restricted' WHERE host_id = $1`,
      [world.hostId],
    );
    expect((await handler.execute(list)).items).toHaveLength(1);
    const low = { ...world.visibility, tiers: ['public', 'internal'] as const };
    expect(await handler.execute(new ListSkillTools(low, skillId, { limit: 50, active: 'all' }))).toEqual({
      items: [],
    });
  });

  test('a narrowed token reaches what its agent has, and no more', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    const other = await world.skillWithTool('Payments');
    await world.link(skillId, other.toolId);
    const links = linksWith(skillId, { toolIds: [toolId] });
    const within = confinesWith({ skillIds: [skillId], toolIds: [toolId], ...links });
    const narrowed = { ...world.visibility, within };
    const handler = new ListSkillToolsHandler(world.database);
    const page = await handler.execute(new ListSkillTools(narrowed, skillId, { limit: 50, active: 'true' }));
    expect(page.items.map((item) => item.toolId)).toEqual([toolId]);
    const foreign = new ListSkillTools(narrowed, other.skillId, { limit: 50, active: 'true' });
    await expect(handler.execute(foreign)).rejects.toThrow(refusal('not_found'));
    const request = { caller: world.caller, visibility: narrowed, skillId, toolId: other.toolId };
    const link = world.write((sql) => planLink(sql, request, { config: {} }));
    await expect(link).rejects.toThrow(refusal('not_found'));
  });
});
