import fc from 'fast-check';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { skillDependencyReads } from '../../../src/skills/links/skill-dependency.link.js';
import { PutSkillWorkflow } from '../../../src/skills/links/skill-workflow.link.js';
import { skillToolReads } from '../../../src/skills/links/skill-tool.link.js';
import { CreateTag } from '../../../src/taxonomy/public.js';
import { CreateWorkflow } from '../../../src/workflows/workflow.record.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld } from './catalog-world.js';
import { many } from '../../soak.js';

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
const refusal = (code: string) => expect.objectContaining({ code }) as Error;
const unchanged = { added: [], changed: [], removed: [] };
const text = { name: 'Accounts', contentMarkdown: 'Do.' };
const page = { limit: 50, active: 'true' } as const;

async function linksOf(world: CatalogWorld, skillId: string) {
  const sql = world.database.of(world.hostId);
  const tools = await skillToolReads.list(sql, world.visibility, page, { skillId });
  const dependencies = await skillDependencyReads.list(sql, world.visibility, page, { skillId });
  return {
    tools: Object.fromEntries(tools.items.map((link) => [String(link['toolId']), link['accessLevel']])),
    dependencies: Object.fromEntries(
      dependencies.items.map((link) => [String(link['dependsOnSkillId']), link['required']]),
    ),
  };
}

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('a skill is made with its tools, dependencies and tags in one write', async () => {
    const world = new CatalogWorld(database);
    const { id: toolId } = await world.createTool('reading', { readOnly: true });
    const { id: needed } = await world.createSkill('Identity');
    const tag = await world.execute(
      new CreateTag(world.writer, { entityType: 'skill', tagName: 'bank', tagDesc: '' }),
    );
    const before = (await world.log()).length;
    const saved = await world.saveSkill({
      ...{ ...text, tagIds: [tag.id], tools: [{ toolId, config: {} }] },
      dependencies: [{ dependsOnSkillId: needed, required: true }],
    });
    expect(saved).toMatchObject({
      ...{ version: 1, changed: true, created: true, classified: true, agents: [], dryRun: false },
      tools: { ...unchanged, added: [toolId] },
      dependencies: { ...unchanged, added: [needed] },
    });
    const written = (await world.log()).slice(before);
    expect(written.map(({ event_type: type }) => type)).toEqual([
      'SkillCreatedEvent',
      'EntityTaxonomyReplacedEvent',
      'SkillToolCreatedEvent',
      'SkillDependencyCreatedEvent',
    ]);
    expect(saved.position).toBe(written.at(-1)?.position);
    expect(await linksOf(world, saved.id)).toEqual({
      tools: { [toolId]: 'read' },
      dependencies: { [needed]: true },
    });
  });

  test('a list that is given is all there is, one that is left out stays, and what is the same is no change', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    const { id: other } = await world.createTool('other');
    const agent = await world.createAgent('teller');
    await world.assign(agent, skillId);
    const tools = [{ toolId, config: {}, accessLevel: 'execute' as const }];
    expect(
      await world.saveSkill({ skillId, tools: [...tools, { toolId: other, config: {} }] }),
    ).toMatchObject({
      ...{ id: skillId, version: 1, changed: true, created: false, classified: false },
      ...{ tools: { added: [other], changed: [toolId], removed: [] }, dependencies: unchanged },
      agents: [{ agentDefId: agent, name: 'teller', skillIds: [skillId] }],
    });
    expect(await world.saveSkill({ skillId, description: 'Better.' })).toMatchObject({
      ...{ version: 2, tools: unchanged },
    });
    expect(await world.saveSkill({ skillId, tools })).toMatchObject({ tools: { removed: [other] } });
    expect(await world.saveSkill({ skillId, tools })).toMatchObject({ changed: false, tools: unchanged });
  });

  test('all of it is written or nothing, and a dry run says the same and writes nothing', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    const { id: needing } = await world.createSkill('Needing');
    await world.saveSkill({
      skillId: needing,
      dependencies: [{ dependsOnSkillId: skillId, required: false }],
    });
    const before = await world.log();
    const change = { skillId, description: 'Other.', tools: [] };
    const refused = [
      [{ tools: [{ toolId: nowhere, config: {} }] }, 'tool_not_found'],
      [{ dependencies: [{ dependsOnSkillId: nowhere, required: true }] }, 'skill_not_found'],
      [{ dependencies: [{ dependsOnSkillId: needing, required: true }] }, 'skill_cycle'],
      [{ dependencies: [{ dependsOnSkillId: skillId, required: true }] }, 'skill_cycle'],
      [{ tagIds: [nowhere] }, 'tag_not_found'],
      [{ name: 'Needing' }, 'skill_name_taken'],
      [{ parentSkillId: skillId }, 'skill_cycle'],
      [{ contentMarkdown: '<script>x</script>' }, 'skill_contains_unsafe_text'],
      [{ tools: [toolId, toolId].map((id) => ({ toolId: id, config: {} })) }, 'invalid_body'],
      [{ skillId: nowhere }, 'not_found'],
    ] as const;
    for (const [more, code] of refused)
      await expect(world.saveSkill({ ...change, ...more })).rejects.toThrow(refusal(code));
    await expect(world.saveSkill({ tools: [] })).rejects.toThrow(refusal('invalid_body'));
    await expect(world.saveSkill(change, 7)).rejects.toThrow(refusal('version_conflict'));
    expect(await world.saveSkill({ ...change, dryRun: true }, 1)).toMatchObject({
      ...{ version: 2, changed: true, dryRun: true, tools: { removed: [toolId] } },
    });
    expect(await world.log()).toEqual(before);
  });

  test('a tool that a workflow calls gives way to another of its name', async () => {
    const world = new CatalogWorld(database);
    const { skillId, toolId } = await world.skillWithTool('Accounts');
    const definition = 'do:\n  - it: { call: mcp, with: { tool: Accounts } }\n';
    const workflow = { namespace: 'ops', name: 'flow', version: '1.0.0', definition };
    const { id: wfDefId } = await world.execute(new CreateWorkflow(world.writer, workflow));
    const link = { skillId, wfDefId, workflowRole: 'primary', startMode: 'manual', config: {} } as const;
    await world.execute(new PutSkillWorkflow(world.writer, link));
    await world.deactivateTool(toolId);
    const { id: successor } = await world.createTool('Accounts');
    await expect(world.saveSkill({ skillId, tools: [] })).rejects.toThrow(
      refusal('workflow_tool_not_linked'),
    );
    expect(await world.saveSkill({ skillId, tools: [{ toolId: successor, config: {} }] })).toMatchObject({
      tools: { added: [successor], removed: [toolId] },
    });
  });

  test('whatever was before, a skill has what it was saved with', async () => {
    const world = new CatalogWorld(database);
    const tools: string[] = [];
    const others: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      tools.push((await world.createTool(name)).id);
      others.push((await world.createSkill(name)).id);
    }
    const { id: skillId } = await world.createSkill('Accounts');
    const toolLinks = fc.dictionary(fc.constantFrom(...tools), fc.constantFrom('read', 'write', 'execute'));
    const needs = fc.dictionary(fc.constantFrom(...others), fc.boolean());
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    let expected = { tools: {}, dependencies: {} };
    await fc.assert(
      fc.asyncProperty(maybe(toolLinks), maybe(needs), async (levels, required) => {
        const saved = {
          ...(levels && {
            tools: Object.entries(levels).map(([toolId, accessLevel]) => ({
              toolId,
              accessLevel,
              config: {},
            })),
          }),
          ...(required && {
            dependencies: Object.entries(required).map(([id, each]) => ({
              dependsOnSkillId: id,
              required: each,
            })),
          }),
        };
        await world.saveSkill({ skillId, ...saved });
        expected = { ...expected, ...(levels && { tools: { ...levels } }) };
        expected = { ...expected, ...(required && { dependencies: { ...required } }) };
        expect(await linksOf(world, skillId)).toEqual(expected);
      }),
      many(12),
    );
  });
});
