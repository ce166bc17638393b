import fc from 'fast-check';
import { NotFound, RuleBroken } from '../kernel/errors.js';
import type { RecordEvent } from '../platform/records/record-spec.js';
import type { SkillFields } from './skill.fields.js';
import { skill } from './skill.record.js';
import { many } from '../../test/soak.js';

type SkillEvent = RecordEvent<typeof skill.spec>;
const { decider } = skill;

const host = '00000000-0000-7000-8000-000000000001';
const id = '00000000-0000-7000-8000-00000000000a';
const other = '00000000-0000-7000-8000-00000000000b';
const third = '00000000-0000-7000-8000-00000000000c';

const fields: SkillFields = {
  name: 'Account Management',
  description: '',
  contentMarkdown: 'Prefer read-only tools.',
  version: '1.0.0',
  parentSkillId: null,
};
const alone = { heldBy: null, lineage: [] };
const created: SkillEvent = { type: 'SkillCreatedEvent', data: fields };
const deactivated: SkillEvent = { type: 'SkillDeactivatedEvent', data: {} };
const activated: SkillEvent = { type: 'SkillActivatedEvent', data: {} };

const given = (...events: SkillEvent[]) =>
  events.reduce((state, event) => decider.evolve(state, event), decider.initial);
const create = (said: Partial<SkillFields>, facts: Facts = alone) =>
  skill.create(host, id, { ...fields, ...said }, facts);
type Facts = Parameters<typeof skill.create>[3];
const update = (said: Partial<SkillFields>, facts: Facts = alone) => skill.change(host, id, said, facts);
const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof RuleBroken) return error.code;
    throw error;
  }
  return 'nothing thrown';
};

describe('a skill', () => {
  it('is created with its words, active', () => {
    expect(decider.decide(create({}), given())).toEqual([created]);
    expect(given(created)).toEqual({ active: true, fields });
  });

  it('is refused a name that another active skill has', () => {
    const taken = { ...alone, heldBy: other };
    expect(codeOf(() => decider.decide(create({}, taken), given()))).toBe('skill_name_taken');
    expect(codeOf(() => decider.decide(update({ name: 'X' }, taken), given(created)))).toBe(
      'skill_name_taken',
    );
    const activate = skill.activate(host, id, { heldBy: other });
    expect(codeOf(() => decider.decide(activate, given(created, deactivated)))).toBe('skill_name_taken');
  });

  it('may take a name while it is inactive', () => {
    const events = decider.decide(
      update({ name: 'X' }, { ...alone, heldBy: other }),
      given(created, deactivated),
    );
    expect(events).toEqual([{ type: 'SkillUpdatedEvent', data: { name: 'X' } }]);
  });

  it('keeps its own name whoever else has it', () => {
    expect(
      decider.decide(update({ name: fields.name }, { ...alone, heldBy: other }), given(created)),
    ).toEqual([]);
  });

  it('records only what changes', () => {
    const events = decider.decide(update({ name: fields.name, version: '1.1.0' }), given(created));
    expect(events).toEqual([{ type: 'SkillUpdatedEvent', data: { version: '1.1.0' } }]);
    expect(decider.decide(update(fields), given(created))).toEqual([]);
    expect(decider.decide(update({}), given(created))).toEqual([]);
  });

  it('stands below a skill that exists, never below itself', () => {
    const below = (lineage: string[]) => update({ parentSkillId: other }, { heldBy: null, lineage });
    expect(codeOf(() => decider.decide(below([]), given(created)))).toBe('parent_skill_not_found');
    expect(codeOf(() => decider.decide(below([other, third, id]), given(created)))).toBe('skill_cycle');
    const events = decider.decide(below([other, third]), given(created));
    expect(events).toEqual([{ type: 'SkillUpdatedEvent', data: { parentSkillId: other } }]);
    const itself = update({ parentSkillId: id }, { heldBy: null, lineage: [id] });
    expect(codeOf(() => decider.decide(itself, given(created)))).toBe('skill_cycle');
  });

  it('leaves its parent with null', () => {
    const child: SkillEvent = { type: 'SkillUpdatedEvent', data: { parentSkillId: other } };
    const events = decider.decide(update({ parentSkillId: null }), given(created, child));
    expect(events).toEqual([{ type: 'SkillUpdatedEvent', data: { parentSkillId: null } }]);
  });

  it('is activated and deactivated once', () => {
    const deactivate = skill.deactivate(host, id);
    const activate = skill.activate(host, id, { heldBy: null });
    expect(decider.decide(deactivate, given(created))).toEqual([deactivated]);
    expect(decider.decide(deactivate, given(created, deactivated))).toEqual([]);
    expect(decider.decide(activate, given(created, deactivated))).toEqual([activated]);
    expect(decider.decide(activate, given(created))).toEqual([]);
  });

  it('must exist to be changed', () => {
    for (const command of [update({}), skill.deactivate(host, id), skill.activate(host, id, alone)]) {
      expect(() => decider.decide(command, given())).toThrow(NotFound);
    }
  });
});

describe('laws of a skill', () => {
  const said = fc.record(
    {
      name: fc.string(),
      description: fc.string(),
      contentMarkdown: fc.string(),
      version: fc.string(),
      parentSkillId: fc.option(fc.constantFrom(other, third)),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Partial<SkillFields>>;
  const event: fc.Arbitrary<SkillEvent> = fc.oneof(
    said.map((data): SkillEvent => ({ type: 'SkillCreatedEvent', data: { ...fields, ...data } })),
    said.map((data): SkillEvent => ({ type: 'SkillUpdatedEvent', data })),
    fc.constantFrom(activated, deactivated),
  );

  it('evolve takes any events in any order', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => typeof (given(...events)?.active ?? false) === 'boolean'),
      many(100),
    );
  });

  it('said twice is said once, and afterwards the state is as said', () => {
    fc.assert(
      fc.property(fc.array(event), said, (events, data) => {
        const before = given(created, ...events);
        const command = update(data, { heldBy: null, lineage: [other] });
        const after = decider
          .decide(command, before)
          .reduce((state, event) => decider.evolve(state, event), before);
        expect(after).toMatchObject({ fields: data });
        expect(decider.decide(command, after)).toEqual([]);
      }),
      many(100),
    );
  });
});
