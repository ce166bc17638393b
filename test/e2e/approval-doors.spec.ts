/** Nothing that is not approved reaches agents, whichever door somebody tries. */
import { commandNameOf, routedNames } from '../../src/command-surface/routed-commands.js';
import { declaredRoutes } from '../../src/openapi.js';
import { all, doors, mark, type Try, versionCommands, waiting } from './door-tries.js';
import { doorsWorld } from './doors-world.js';
import { override } from './guards-world.js';
import { asCommand } from './routes-as-commands.js';
import { RebuiltBeside } from './rebuilt-beside.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';

/**
 * Operations that bring no agent a tool, or whose door is tried in a test of its own. The program's own commands (`import`,
 * `registry push`) and the sample have no others.
 */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'takes no tool': [
    ...['createCategory', 'updateCategory', 'deleteCategory', 'createTag', 'updateTag', 'deleteTag'],
    ...['putWebhook', 'deleteWebhook', 'replayWebhook', 'replayWebhookDelivery', 'createSkill'],
    ...['createWorkflow', 'updateWorkflow', 'validateWorkflow', 'putWorkflowTaxonomy', 'publishWorkflow'],
    ...['activateWorkflow', 'deactivateWorkflow', 'deprecateWorkflow', 'putSkillTaxonomy'],
    ...['putSkillDependency', 'deleteSkillDependency', 'putSkillWorkflow', 'deleteSkillWorkflow'],
    ...['putEvaluationSet', 'deleteEvaluationSet', 'runEvaluation', 'deleteEvaluation', 'putGateway'],
    ...['deactivateGateway', 'dismissGatewayDrift', 'reopenGatewayDrift', 'deleteAgentSkill'],
    ...['deactivateAgentDefinition'],
  ],
  'only reads, as the agents here do': [
    'consolidateTools',
    'lintTool',
    'searchCatalog',
    'queryGraph',
    'fetchDocument',
    'readDocument',
    'getExposureImpact',
    'lookAtSource',
    'validateAgentSkills',
  ],
  'gateway-guards.spec.ts, with a gateway that answers': ['acceptGatewayDrift', 'checkGateway'],
  'discovery.spec.ts, which reads what is public': ['putPublicEntry', 'deletePublicEntry'],
  'skill-documents.spec.ts: links by name, as putSkillTool does': ['importSkill'],
};

const writes = declaredRoutes()
  .filter(({ method, operation }) => method !== 'GET' && operation.scope !== 'none')
  .map(({ operation }) => operation.id);

it('tries every door there is', () => {
  const known = [...Object.keys(doors), ...Object.values(elsewhere).flat()].sort();
  expect(known).toEqual([...new Set(writes)].sort());
});

eachOwnServer((server) => {
  const { ask, made, leaks, trying, tokens, approve } = doorsWorld(server);

  it('tries every command that writes', async () => {
    const { commands } = await ask<{ commands: { name: string; scope: string[] }[] }>(
      'GET',
      '/agent/commands',
    );
    const changing = ['catalog:write', 'catalog:approve'];
    const writing = commands.filter(({ scope }) => scope.some((each) => changing.includes(each)));
    const routed = routedNames.filter((id) => writes.includes(id)).map(commandNameOf);
    const tried = ['assign_skill', 'draft_skill', 'link_tool', ...Object.keys(versionCommands), ...routed];
    expect(writing.map(({ name }) => name).filter((name) => !tried.includes(name))).toEqual([]);
    expect(writing.length).toBeGreaterThan(40);
  });

  it('shows what is approved, and nothing else', async () => {
    const world = await made();
    expect(await leaks(world)).toEqual([]);
    for (const path of waiting(world)) await approve(`${path}/approve`, override, tokens.reviewer);
    for (const toolId of all(world))
      await ask('PUT', `/skills/${world.skill}/tools/${toolId}`, {
        accessLevel: 'execute',
        range: 'approved',
      });
    expect((await leaks(world)).length).toBeGreaterThan(15);
  });

  it.each(Object.keys(doors))('no unapproved version goes through %s', (door) =>
    trying((world) => doors[door]?.(world) ?? []),
  );

  it.each(routedNames.filter((id) => id in doors))('nor through the command of %s', (door) =>
    trying((world) =>
      (doors[door]?.(world) ?? []).map(([who, ...request]): Try => [who, ...asCommand(...request)]),
    ),
  );

  it('nor through a rebuild of the catalog', async () => {
    const world = await made();
    const rebuilt = new RebuiltBeside(server);
    await rebuilt.make();
    const read = `SELECT t::text FROM tool_read t WHERE tool_id = ANY($1::uuid[])
      UNION ALL SELECT v::text FROM tool_version_read v WHERE tool_id = ANY($1::uuid[])`;
    const rows = await rebuilt.database.of(hostId).query<{ readonly t: string }>(read, [all(world)]);
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toContain(mark);
  });
});
