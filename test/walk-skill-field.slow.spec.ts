import { ScratchCopy, writtenIn } from './walk.js';

/** Writes a skill with the field, and one as it was before the field came; says what is read of both, and what agents are given. */
const look = `
  import { randomUUID } from 'node:crypto';
  import { CommandEngine } from './dist/src/eventsourcing/command-engine.js';
  import { Domain } from './dist/src/eventsourcing/domain.js';
  import { openDatabase } from './dist/src/platform/database/open-database.js';
  import { Idempotency } from './dist/src/platform/idempotency/idempotency.js';
  import { visibilityOf } from './dist/src/platform/auth/visibility.js';
  import { skillMembers } from './dist/src/effective-catalog/rows.js';
  import { catalogStatement } from './dist/src/effective-catalog/rows.queries.js';
  import { workflowSlice } from './dist/src/workflows/workflow.slice.js';
  import { skillSlice } from './dist/src/skills/skill.slice.js';
  import { CreateSkill, UpdateSkill, skill, skillHandlers } from './dist/src/skills/skill.record.js';
  import { skillReads } from './dist/src/skills/skill.routes.js';
  import { aSkill, bytesOfRows, rowsOf } from './dist/test/catalog-rows.js';

  const database = await openDatabase({ directory: 'data' });
  const engine = new CommandEngine(database, new Domain([workflowSlice, skillSlice]), { committed: () => undefined });
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

describe('the walk “a field on a skill”', () => {
  const copy = new ScratchCopy('migrations', 'test/catalog-rows.ts');
  afterAll(() => {
    copy.remove();
  });

  it('takes one definition, one migration, and one line where agents see it', async () => {
    const [definition = '', migration = '', member = ''] = writtenIn('A field on a skill');
    const fields = 'src/skills/skill.fields.ts';
    copy.insert(fields, 'export const skillFields = {\n', definition);
    copy.insert(fields, 'import { bodyOf, field, ', 'later, ');
    copy.write('migrations/catalog/9999_skill_audience.sql', migration);
    copy.insert('src/effective-catalog/rows.ts', "  'version',\n", member);
    expect(
      await copy.run(
        look,
        'src/platform/database/embedded.thread.ts',
        'src/skills/skills.module.ts',
        'src/sample/sample-data.ts',
        'src/effective-catalog/effective-catalog.module.ts',
      ),
    ).toEqual({
      ...{ written: 'tellers', taken: null, ofBefore: null },
      ...{ demanded: false, ofRequests: true, stated: 1 },
      ...{ given: ['tellers'], named: true },
    });
  });
});
