import { ScratchCopy } from './scratch-copy.js';

/** Writes a skill with the field, and one as it was before the field came; says what is read of both, and what agents are given. */
const lookAtField = `
  import { randomUUID } from 'node:crypto';
  import { CommandEngine } from './dist/src/kernel/command-engine.js';
  import { Domain } from './dist/src/kernel/domain.js';
  import { openDatabase } from './dist/src/platform/database/open-database.js';
  import { Idempotency } from './dist/src/platform/idempotency/idempotency.js';
  import { visibilityOf } from './dist/src/platform/auth/visibility.js';
  import { skillMembers } from './dist/src/effective-catalog/rows.js';
  import { catalogStatement } from './dist/src/effective-catalog/rows.queries.js';
  import { endpointSlice } from './dist/src/endpoints/endpoint.slice.js';
  import { toolSlice } from './dist/src/tools/tool.slice.js';
  import { workflowSlice } from './dist/src/workflows/workflow.slice.js';
  import { skillSlice } from './dist/src/skills/skill.slice.js';
  import { CreateSkill, UpdateSkill, skill, skillHandlers } from './dist/src/skills/skill.record.js';
  import { skillReads } from './dist/src/skills/skill.routes.js';
  import { aSkill, bytesOfRows, rowsOf } from './dist/test/catalog-rows.js';

  const database = await openDatabase({ directory: 'data-field' });
  const engine = new CommandEngine(database, new Domain([endpointSlice, toolSlice, workflowSlice, skillSlice]), { committed: () => undefined });
  const hostId = randomUUID();
  const caller = { actor: { user: 'olga' }, hostId, services: 'all', environments: [], scopes: new Set() };
  const writer = { caller, visibility: visibilityOf(caller), context: { hostId, actor: caller.actor, correlationId: 'walk' } };
  const execute = (useCase) => {
    const Handler = skillHandlers.find((handler) => useCase instanceof handler.useCase);
    return new Handler(engine, new Idempotency(database)).execute(useCase);
  };
  const read = async (id) => (await skillReads.get(database.of(hostId), writer.visibility, id)).audience;
  const fields = { name: 'Accounts', contentMarkdown: 'Do.' };
  const { id } = await execute(new CreateSkill(writer, { ...fields, audience: 'tellers' }));
  const written = await read(id);
  await execute(new UpdateSkill(writer, { skillId: id, audience: null }));
  const taken = await read(id);
  const known = await database.of(hostId).query(catalogStatement, [hostId, id, null, [], null]);
  await database.close();

  const { audience: _, ...before } = { description: '', version: '1.0.0', parentSkillId: null, ...fields };
  const old = skill.decider.evolve(null, { type: 'SkillCreatedEvent', data: before });
  const created = skill.events.find(({ type }) => type === 'SkillCreatedEvent').schema;
  const { bytes } = bytesOfRows(rowsOf({ skills: [{ ...aSkill, audience: 'tellers' }] }), { withheld: false, examples: false });
  console.log(JSON.stringify({
    written, taken, ofBefore: old.fields.audience,
    demanded: created.required.includes('audience'),
    ofRequests: skillReads.answer.required.includes('audience'),
    stated: known.length,
    given: JSON.parse(bytes.toString()).skills.map(({ audience }) => audience),
    named: skillMembers.includes('audience'),
  }));
`;

/** Links a skill that is there to a gateway that is there, and to one that is not; says what is read. */
const lookAtLink = `
  import { randomUUID } from 'node:crypto';
  import { CommandEngine } from './dist/src/kernel/command-engine.js';
  import { Domain } from './dist/src/kernel/domain.js';
  import { openDatabase } from './dist/src/platform/database/open-database.js';
  import { Idempotency } from './dist/src/platform/idempotency/idempotency.js';
  import { visibilityOf } from './dist/src/platform/auth/visibility.js';
  import { gateway } from './dist/src/gateways/gateway.record.js';
  import { gatewaySlice } from './dist/src/gateways/gateway.slice.js';
  import { skill } from './dist/src/skills/skill.record.js';
  import { endpointSlice } from './dist/src/endpoints/endpoint.slice.js';
  import { toolSlice } from './dist/src/tools/tool.slice.js';
  import { workflowSlice } from './dist/src/workflows/workflow.slice.js';
  import { skillSlice } from './dist/src/skills/skill.slice.js';
  import { SkillsModule } from './dist/src/skills/skills.module.js';
  import {
    PutSkillGateway, RemoveSkillGateway, skillGatewayHandlers, skillGatewayReads, skillGatewayRoutes,
  } from './dist/src/skills/links/skill-gateway.link.js';

  const database = await openDatabase({ directory: 'data-link' });
  const slices = [endpointSlice, toolSlice, workflowSlice, gatewaySlice, skillSlice];
  const engine = new CommandEngine(database, new Domain(slices), { committed: () => undefined });
  const hostId = randomUUID();
  const caller = { actor: { user: 'olga' }, hostId, services: 'all', environments: ['dev'], scopes: new Set() };
  const context = { hostId, actor: caller.actor, correlationId: 'walk' };
  const writer = { caller, visibility: visibilityOf(caller), context };
  const execute = (useCase) => {
    const Handler = skillGatewayHandlers.find((handler) => useCase instanceof handler.useCase);
    return new Handler(engine, new Idempotency(database)).execute(useCase);
  };
  const [skillId, gatewayId] = [randomUUID(), randomUUID()];
  const settings = { serviceId: 'router', envTag: 'dev', url: 'https://gateway.example.com' };
  await engine.execute({
    context,
    commands: () => [
      skill.create(hostId, skillId, { name: 'Accounts', contentMarkdown: 'Do.' }, { heldBy: null, lineage: [] }),
      gateway.put(hostId, gatewayId, settings, { heldBy: null }),
    ],
    result: () => undefined,
  });
  const list = { active: 'true', limit: 10 };
  const read = async () => (await skillGatewayReads.list(database.of(hostId), writer.visibility, list, { skillId })).items;
  const { created } = await execute(new PutSkillGateway(writer, { skillId, gatewayId, note: 'first' }));
  const linked = await read();
  const refused = await execute(new PutSkillGateway(writer, { skillId, gatewayId: skillId, note: '' }))
    .catch(({ constructor }) => constructor.name);
  await execute(new RemoveSkillGateway(writer, { skillId, gatewayId }));
  const left = await read();
  await database.close();
  const controllers = Reflect.getMetadata('controllers', SkillsModule);
  console.log(JSON.stringify({
    created, refused, left,
    linked: linked.map(({ note, envTag }) => ({ note, envTag })),
    wired: skillGatewayRoutes.length === 4 && skillGatewayRoutes.every((route) => controllers.includes(route)),
  }));
`;

/** Says of the catalog of a tool without a description whether it is withheld, and whether its bytes name it. */
const lookAtReason = `
  import { aTool, bytesOfRows, catalogOf, rowsOf } from './dist/test/catalog-rows.js';
  const rows = rowsOf({ tools: [{ ...aTool, description: '' }] });
  const { withheld, disclosure } = catalogOf(rows);
  const text = bytesOfRows(rows, { withheld: false, examples: true }).bytes.toString();
  console.log(JSON.stringify({ withheld, counted: [...disclosure.withheldBy], named: text.includes(aTool.name) }));
`;

/** Reads a document of the new format, and says where else the format is known. */
const lookAtFormat = `
  import { apiVersion } from './dist/src/endpoints/api-version/api-version.record.js';
  import { nodeTypes } from './dist/src/graph/ontology.nodes.js';
  import { importOptions } from './dist/src/importers/import.schemas.js';
  import { readDescription } from './dist/src/formats/read-description.js';
  const { format, offers } = await readDescription({ routes: ['GET /a/{id}'] }, { format: 'auto' });
  const refused = await readDescription({ other: [] }, { format: 'auto' }).catch(({ detail }) => detail);
  console.log(JSON.stringify({
    format,
    offered: offers.map(({ endpoint, facts }) => [endpoint, JSON.parse(facts).name]),
    ofEvents: apiVersion.spec.fixed.apiType.stored.enum.includes('routes'),
    ofRequests: importOptions.properties.format.enum.includes('routes'),
    ofTheGraph: JSON.stringify(nodeTypes).includes('"routes"'),
    lookedFor: refused.includes('lists of routes'),
  }));
`;

/** All of them in one copy: it is compiled and checked once. Each looks at what came of its own. */
describe('the changes that come often, made as CONTRIBUTING.md says,', () => {
  const copy = new ScratchCopy();
  afterAll(() => {
    copy.remove();
  });

  beforeAll(async () => {
    addFieldOnSkill();
    addLink();
    addReason();
    addFormat();
    await copy.compile(
      ...['src/app.module.ts', 'src/cli.ts', 'src/openapi.ts', 'src/platform/database/embedded.thread.ts'],
      'test/catalog-rows.ts',
    );
  });

  function addFieldOnSkill(): void {
    const [definition = '', migration = '', member = ''] = copy.codeOf('A field on a skill');
    const fields = 'src/skills/skill.fields.ts';
    copy.insert(fields, 'export const skillFields = {\n', definition);
    copy.insert(fields, 'import { bodyOf, field, ', 'later, ');
    copy.write('migrations/catalog/9998_skill_audience.sql', migration);
    copy.insert('src/effective-catalog/rows.ts', "  'version',\n", member);
  }

  function addLink(): void {
    const [link = '', migration = ''] = copy.codeOf('A new link between two nouns');
    copy.write('src/skills/links/skill-gateway.link.ts', link);
    copy.write('migrations/catalog/9999_skill_gateway.sql', migration);
    const known = "import { skillGateway } from './links/skill-gateway.link.js';\n";
    copy.insert(
      'src/skills/skill.slice.ts',
      "import { skillTool } from './links/skill-tool.link.js';\n",
      known,
    );
    copy.insert('src/skills/skill.slice.ts', '\n  skillTool,\n', '  skillGateway,\n');
    const lent = "export { knownGateways } from './gateway.record.js';\n";
    copy.insert('src/gateways/public.ts', lent, lent.replace('knownGateways', 'requireGateway'));
    const named = known.replace('skillGateway ', 'skillGatewayHandlers, skillGatewayRoutes ');
    const module = 'src/skills/skills.module.ts';
    copy.insert(module, "import { CqrsModule } from '@nestjs/cqrs';\n", named);
    copy.insert(module, '\n    ...skillToolRoutes,\n', '    ...skillGatewayRoutes,\n');
    copy.insert(module, '\n    ...skillToolHandlers,\n', '    ...skillGatewayHandlers,\n');
  }

  function addReason(): void {
    const [rule = ''] = copy.codeOf('A new withholding reason');
    copy.insert(
      'src/effective-catalog/disclosure/disclosure.rules.ts',
      'const toolRules: readonly Rule[] = [\n',
      rule,
    );
  }

  function addFormat(): void {
    const [format = ''] = copy.codeOf('A new import format');
    const list = 'src/formats/formats.ts';
    copy.write('src/formats/routes/format.ts', format);
    copy.insert(list, 'export const formats = [', 'routes, ');
    copy.insert(
      list,
      "import type { Format } from './format.js';\n",
      "import { routes } from './routes/format.js';\n",
    );
  }

  it('a field on a skill takes one definition, one migration, and one line where agents see it', async () => {
    expect(await copy.print(lookAtField)).toEqual({
      ...{ written: 'tellers', taken: null, ofBefore: null },
      ...{ demanded: false, ofRequests: true, stated: 1 },
      ...{ given: ['tellers'], named: true },
    });
  });

  it('a link between two nouns takes one file, the migration of its table, and its names in the lists', async () => {
    expect(await copy.print(lookAtLink)).toEqual({
      ...{ created: true, refused: 'NotFound', left: [] },
      ...{ linked: [{ note: 'first', envTag: 'dev' }], wired: true },
    });
  });

  it('a withholding reason takes one object in one file', async () => {
    expect(await copy.print(lookAtReason)).toEqual({
      withheld: [expect.objectContaining({ toolName: 'getAccounts', reason: 'description_missing' })],
      counted: [['description_missing', 1]],
      named: false,
    });
  });

  it('an import format takes its folder and its place in the list, and is known everywhere', async () => {
    expect(await copy.print(lookAtFormat)).toEqual({
      format: 'routes',
      offered: [['/a/{id}@get', 'get_a_id']],
      ...{ ofEvents: true, ofRequests: true, ofTheGraph: true, lookedFor: true },
    });
  });

  it('pass the lint, the import fences and the tests of the architecture', async () => {
    expect(await copy.lint(...copy.changed)).toEqual([]);
    expect(await copy.cruise()).toEqual([]);
    await copy.node(
      ...['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
      ...['--selectProjects', 'unit', '--', 'test/architecture.spec.ts'],
    );
  });
});
