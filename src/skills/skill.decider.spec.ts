import fc from 'fast-check';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { ActivateSkill, CreateSkill, DeactivateSkill, UpdateSkill } from './skill.commands.js';
import { skillDecider, type SkillState } from './skill.decider.js';
import type { SkillEvent, SkillWords } from './skill.events.js';

const host = '00000000-0000-7000-8000-000000000001';
const skill = '00000000-0000-7000-8000-00000000000a';
const other = '00000000-0000-7000-8000-00000000000b';
const third = '00000000-0000-7000-8000-00000000000c';

const words: SkillWords = {
  name: 'Account Management',
  description: '',
  contentMarkdown: 'Prefer read-only tools.',
  version: '1.0.0',
  parentSkillId: null,
};
const alone = { nameHeldBy: null, lineage: [] };
const created: SkillEvent = { type: 'SkillCreatedEvent', data: words };
const deactivated: SkillEvent = { type: 'SkillDeactivatedEvent', data: {} };
const activated: SkillEvent = { type: 'SkillActivatedEvent', data: {} };

const given = (...events: SkillEvent[]): SkillState =>
  events.reduce((state, event) => skillDecider.evolve(state, event), skillDecider.initial);
const create = (said: Partial<SkillWords>, surroundings = alone) =>
  new CreateSkill(host, skill, { words: { ...words, ...said }, surroundings });
const update = (
  said: Partial<SkillWords>,
  surroundings: { nameHeldBy: string | null; lineage: string[] } = alone,
) => new UpdateSkill(host, skill, { words: said, surroundings });
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
    expect(skillDecider.decide(create({}), given())).toEqual([created]);
    expect(given(created)).toEqual({ status: 'active', words });
  });

  it('is refused a name that another active skill has', () => {
    const taken = { ...alone, nameHeldBy: other };
    expect(codeOf(() => skillDecider.decide(create({}, taken as never), given()))).toBe('skill_name_taken');
    expect(codeOf(() => skillDecider.decide(update({ name: 'X' }, taken), given(created)))).toBe(
      'skill_name_taken',
    );
    const activate = new ActivateSkill(host, skill, { nameHeldBy: other });
    expect(codeOf(() => skillDecider.decide(activate, given(created, deactivated)))).toBe('skill_name_taken');
  });

  it('may take a name while it is inactive', () => {
    const events = skillDecider.decide(
      update({ name: 'X' }, { ...alone, nameHeldBy: other }),
      given(created, deactivated),
    );
    expect(events).toEqual([{ type: 'SkillUpdatedEvent', data: { name: 'X' } }]);
  });

  it('keeps its own name whoever else has it', () => {
    expect(
      skillDecider.decide(update({ name: words.name }, { ...alone, nameHeldBy: other }), given(created)),
    ).toEqual([]);
  });

  it('records only what changes', () => {
    const events = skillDecider.decide(update({ name: words.name, version: '1.1.0' }), given(created));
    expect(events).toEqual([{ type: 'SkillUpdatedEvent', data: { version: '1.1.0' } }]);
    expect(skillDecider.decide(update(words), given(created))).toEqual([]);
    expect(skillDecider.decide(update({}), given(created))).toEqual([]);
  });

  it('stands below a skill that exists, never below itself', () => {
    const below = (lineage: string[]) => update({ parentSkillId: other }, { nameHeldBy: null, lineage });
    expect(codeOf(() => skillDecider.decide(below([]), given(created)))).toBe('parent_skill_not_found');
    expect(codeOf(() => skillDecider.decide(below([other, third, skill]), given(created)))).toBe(
      'skill_cycle',
    );
    const events = skillDecider.decide(below([other, third]), given(created));
    expect(events).toEqual([{ type: 'SkillUpdatedEvent', data: { parentSkillId: other } }]);
    const itself = update({ parentSkillId: skill }, { nameHeldBy: null, lineage: [skill] });
    expect(codeOf(() => skillDecider.decide(itself, given(created)))).toBe('skill_cycle');
  });

  it('leaves its parent with null', () => {
    const child: SkillEvent = { type: 'SkillUpdatedEvent', data: { parentSkillId: other } };
    const events = skillDecider.decide(update({ parentSkillId: null }), given(created, child));
    expect(events).toEqual([{ type: 'SkillUpdatedEvent', data: { parentSkillId: null } }]);
  });

  it('is activated and deactivated once', () => {
    const deactivate = new DeactivateSkill(host, skill, {});
    const activate = new ActivateSkill(host, skill, { nameHeldBy: null });
    expect(skillDecider.decide(deactivate, given(created))).toEqual([deactivated]);
    expect(skillDecider.decide(deactivate, given(created, deactivated))).toEqual([]);
    expect(skillDecider.decide(activate, given(created, deactivated))).toEqual([activated]);
    expect(skillDecider.decide(activate, given(created))).toEqual([]);
  });

  it('must exist to be changed', () => {
    for (const command of [
      update({}),
      new DeactivateSkill(host, skill, {}),
      new ActivateSkill(host, skill, alone),
    ]) {
      expect(() => skillDecider.decide(command, given())).toThrow(NotFound);
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
  ) as fc.Arbitrary<Partial<SkillWords>>;
  const event: fc.Arbitrary<SkillEvent> = fc.oneof(
    said.map((data): SkillEvent => ({ type: 'SkillCreatedEvent', data: { ...words, ...data } })),
    said.map((data): SkillEvent => ({ type: 'SkillUpdatedEvent', data })),
    fc.constantFrom(activated, deactivated),
  );

  it('evolve takes any events in any order', () => {
    fc.assert(fc.property(fc.array(event), (events) => typeof given(...events).status === 'string'));
  });

  it('said twice is said once, and afterwards the state is as said', () => {
    fc.assert(
      fc.property(fc.array(event), said, (events, data) => {
        const before = given(created, ...events);
        const command = update(data, { nameHeldBy: null, lineage: [other] });
        const after = skillDecider
          .decide(command, before)
          .reduce((state, event) => skillDecider.evolve(state, event), before);
        expect(after).toMatchObject({ words: data });
        expect(skillDecider.decide(command, after)).toEqual([]);
      }),
    );
  });
});
