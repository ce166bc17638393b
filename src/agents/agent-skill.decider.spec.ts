import fc from 'fast-check';
import { NotFound } from '../eventsourcing/errors.js';
import type { SkillFacts } from '../skills/skill.lookup.js';
import {
  agentSkillId,
  AssignSkill,
  ChangeAssignment,
  PutAssignment,
  UnassignSkill,
  type AgentSkillCommand,
} from './agent-skill.commands.js';
import { agentSkillDecider, type AgentSkillState } from './agent-skill.decider.js';
import type { AgentSkillEvent } from './agent-skill.events.js';

const host = '00000000-0000-7000-8000-000000000001';
const ids = {
  agentDefId: '00000000-0000-7000-8000-00000000000a',
  skillId: '00000000-0000-7000-8000-00000000000b',
};
const id = agentSkillId(ids.agentDefId, ids.skillId);
const terms = { config: {}, priority: 0, sequenceId: 0 };
const fit: SkillFacts = { skillId: ids.skillId, name: 'Accounts', active: true, hasActiveTool: true };
const unfit: readonly (readonly [string, SkillFacts | undefined])[] = [
  ['skill_not_found', undefined],
  ['skill_inactive', { ...fit, active: false }],
  ['skill_without_active_tool', { ...fit, hasActiveTool: false }],
];

const assign = (skill: SkillFacts | undefined) => new AssignSkill(host, id, { ...ids, terms, skill });
const put = (skill: SkillFacts | undefined, priority = 0) =>
  new PutAssignment(host, id, { ...ids, terms: { ...terms, priority }, skill });
const change = (skill: SkillFacts | undefined, said: Partial<typeof terms>) =>
  new ChangeAssignment(host, id, { ...ids, terms: said, skill });
const unassign = new UnassignSkill(host, id, ids);

const created: AgentSkillEvent = { type: 'AgentSkillCreatedEvent', data: { ...ids, ...terms } };
const deleted: AgentSkillEvent = { type: 'AgentSkillDeletedEvent', data: ids };
const given = (...events: AgentSkillEvent[]): AgentSkillState =>
  events.reduce((state, event) => agentSkillDecider.evolve(state, event), agentSkillDecider.initial);
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

describe('an assignment of a skill to an agent', () => {
  it('is made for a fit skill, and again after it was taken away', () => {
    for (const command of [assign(fit), put(fit)]) {
      expect(agentSkillDecider.decide(command, given())).toEqual([created]);
      expect(agentSkillDecider.decide(command, given(created, deleted))).toEqual([created]);
    }
  });

  it.each(unfit)('is refused with %s when made, changed or made again', (code, skill) => {
    for (const command of [assign(skill), put(skill)]) {
      expect(() => agentSkillDecider.decide(command, given())).toThrow(refusal(code));
      expect(() => agentSkillDecider.decide(command, given(created, deleted))).toThrow(refusal(code));
    }
    for (const command of [put(skill, 7), change(skill, { priority: 7 })]) {
      expect(() => agentSkillDecider.decide(command, given(created))).toThrow(refusal(code));
    }
  });

  it.each(unfit)('stays and goes whatever the skill is: %s', (_code, skill) => {
    expect(agentSkillDecider.decide(put(skill), given(created))).toEqual([]);
    expect(agentSkillDecider.decide(change(skill, {}), given(created))).toEqual([]);
    expect(agentSkillDecider.decide(unassign, given(created))).toEqual([deleted]);
  });

  it('is made again without a change on equal terms, and not on others', () => {
    expect(agentSkillDecider.decide(assign(fit), given(created))).toEqual([]);
    const other = given({ type: 'AgentSkillCreatedEvent', data: { ...ids, ...terms, priority: 3 } });
    expect(() => agentSkillDecider.decide(assign(fit), other)).toThrow(refusal('already_assigned'));
  });

  it('changes the terms named and keeps the others', () => {
    const before = given({
      type: 'AgentSkillCreatedEvent',
      data: { ...ids, config: { notes: 'n' }, priority: 3, sequenceId: 4 },
    });
    expect(agentSkillDecider.decide(change(fit, { priority: 5 }), before)).toEqual([
      {
        type: 'AgentSkillUpdatedEvent',
        data: { ...ids, config: { notes: 'n' }, priority: 5, sequenceId: 4 },
      },
    ]);
    expect(agentSkillDecider.decide(put(fit), before)).toEqual([
      { type: 'AgentSkillUpdatedEvent', data: { ...ids, ...terms } },
    ]);
  });

  it('must be there to be changed or taken away', () => {
    expect(() => agentSkillDecider.decide(change(fit, {}), given())).toThrow(NotFound);
    expect(() => agentSkillDecider.decide(unassign, given(created, deleted))).toThrow(NotFound);
  });

  it('is never written for an unfit skill, whatever comes', () => {
    const skill = fc.constantFrom(fit, ...unfit.map(([, facts]) => facts));
    const command: fc.Arbitrary<AgentSkillCommand> = fc.oneof(
      skill.map(assign),
      fc.tuple(skill, fc.integer()).map(([facts, priority]) => put(facts, priority)),
      fc.tuple(skill, fc.integer()).map(([facts, priority]) => change(facts, { priority })),
      fc.constant(unassign),
    );
    fc.assert(
      fc.property(fc.array(command), (commands) => {
        let state = given();
        for (const each of commands) {
          const events = decided(each, state);
          const facts = each instanceof UnassignSkill ? fit : each.payload.skill;
          if (events.length > 0) expect(facts).toBe(fit);
          state = events.reduce((state, event) => agentSkillDecider.evolve(state, event), state);
        }
      }),
    );
  });
});

function decided(command: AgentSkillCommand, state: AgentSkillState): readonly AgentSkillEvent[] {
  try {
    return agentSkillDecider.decide(command, state);
  } catch {
    return [];
  }
}
