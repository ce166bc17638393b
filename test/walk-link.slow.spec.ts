import { ScratchCopy, writtenIn } from './walk.js';

/** Links a skill that is there to a gateway that is there, and to one that is not; says what is read. */
const look = `
  import { randomUUID } from 'node:crypto';
  import { CommandEngine } from './dist/src/eventsourcing/command-engine.js';
  import { Domain } from './dist/src/eventsourcing/domain.js';
  import { openDatabase } from './dist/src/platform/database/open-database.js';
  import { Idempotency } from './dist/src/platform/idempotency/idempotency.js';
  import { visibilityOf } from './dist/src/platform/auth/visibility.js';
  import { gateway } from './dist/src/gateways/gateway.record.js';
  import { gatewaySlice } from './dist/src/gateways/gateway.slice.js';
  import { skill } from './dist/src/skills/skill.record.js';
  import { workflowSlice } from './dist/src/workflows/workflow.slice.js';
  import { skillSlice } from './dist/src/skills/skill.slice.js';
  import { SkillsModule } from './dist/src/skills/skills.module.js';
  import {
    PutSkillGateway, RemoveSkillGateway, skillGatewayHandlers, skillGatewayReads, skillGatewayRoutes,
  } from './dist/src/skills/links/skill-gateway.link.js';

  const database = await openDatabase({ directory: 'data' });
  const engine = new CommandEngine(database, new Domain([workflowSlice, gatewaySlice, skillSlice]), { committed: () => undefined });
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

describe('the walk “a new link between two nouns”', () => {
  const copy = new ScratchCopy('migrations');
  afterAll(() => {
    copy.remove();
  });

  it('takes one file, the migration of its table, and its names in the lists', async () => {
    const [link = '', migration = ''] = writtenIn('A new link between two nouns');
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
    expect(await copy.run(look, 'src/platform/database/embedded.thread.ts')).toEqual({
      ...{ created: true, refused: 'NotFound', left: [] },
      ...{ linked: [{ note: 'first', envTag: 'dev' }], wired: true },
    });
  });
});
