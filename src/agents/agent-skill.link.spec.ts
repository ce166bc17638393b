import fc from 'fast-check';
import { NotFound } from '../kernel/errors.js';
import type { SkillFacts } from '../skills/skill.lookup.js';
import { scopes, type Caller } from '../platform/auth/caller.js';
import { agentSkill } from './agent-skill.link.js';
import type { FormerAssignment } from './agent-skill.rules.js';
import { many } from '../../test/soak.js';

const { decider } = agentSkill;
type Command = Parameters<typeof decider.decide>[0];
type Event = Parameters<typeof decider.evolve>[1];
type State = typeof decider.initial;

const host = '00000000-0000-7000-8000-000000000001';
const ids = {
  agentDefId: '00000000-0000-7000-8000-00000000000a',
  skillId: '00000000-0000-7000-8000-00000000000b',
};
const caller: Caller = {
  ...{ actor: { user: 'olga' }, issuer: 'test', hostId: host, services: 'all', environments: ['dev'] },
  ...{ scopes: new Set(scopes), expiresAt: 0, fingerprint: '' },
};
const terms = { config: {}, priority: 0, sequenceId: 0 };
const fit: SkillFacts = { skillId: ids.skillId, name: 'Accounts', active: true, hasActiveTool: true };
const unfit: readonly (readonly [string, SkillFacts | undefined])[] = [
  ['skill_not_found', undefined],
  ['skill_inactive', { ...fit, active: false }],
  ['skill_without_active_tool', { ...fit, hasActiveTool: false }],
];

type MayBe = Parameters<typeof agentSkill.put>[2]['mayBe'];
const putting = (skill: SkillFacts | undefined, mayBe: MayBe, more: Partial<typeof terms> = {}) =>
  agentSkill.put(host, { ...ids, ...terms, ...more }, { caller, skill, former: undefined, mayBe });
const assign = (skill: SkillFacts | undefined) => putting(skill, 'new or equal');
const put = (skill: SkillFacts | undefined, priority = 0) => putting(skill, 'any', { priority });
const change = (skill: SkillFacts | undefined, said: Partial<typeof terms>) => putting(skill, 'there', said);
const unassign = agentSkill.remove(host, ids, undefined);

const created: Event = { type: 'AgentSkillCreatedEvent', data: { ...ids, ...terms } };
const deleted: Event = { type: 'AgentSkillDeletedEvent', data: ids };
const given = (...events: Event[]): State =>
  events.reduce((state, event) => decider.evolve(state, event), decider.initial);
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

describe('an assignment of a skill to an agent', () => {
  it('is made for a fit skill, and again after it was taken away', () => {
    for (const command of [assign(fit), put(fit)]) {
      expect(decider.decide(command, given())).toEqual([created]);
      expect(decider.decide(command, given(created, deleted))).toEqual([created]);
    }
  });

  it.each(unfit)('is refused with %s when made, changed or made again', (code, skill) => {
    for (const command of [assign(skill), put(skill)]) {
      expect(() => decider.decide(command, given())).toThrow(refusal(code));
      expect(() => decider.decide(command, given(created, deleted))).toThrow(refusal(code));
    }
    for (const command of [put(skill, 7), change(skill, { priority: 7 })]) {
      expect(() => decider.decide(command, given(created))).toThrow(refusal(code));
    }
  });

  it.each(unfit)('stays and goes whatever the skill is: %s', (_code, skill) => {
    expect(decider.decide(put(skill), given(created))).toEqual([]);
    expect(decider.decide(change(skill, {}), given(created))).toEqual([]);
    expect(decider.decide(unassign, given(created))).toEqual([deleted]);
  });

  it('is made again without a change on equal terms, and not on others', () => {
    expect(decider.decide(assign(fit), given(created))).toEqual([]);
    const other = given({ type: 'AgentSkillCreatedEvent', data: { ...ids, ...terms, priority: 3 } });
    expect(() => decider.decide(assign(fit), other)).toThrow(refusal('already_assigned'));
  });

  it('lets more tools through only for an administrator, also where it was taken away', () => {
    const limited = { ...terms, config: { maxSensitivityTier: 'public' } };
    const author = { ...caller, scopes: new Set(['catalog:write'] as const) };
    const by = (who: Caller, former: FormerAssignment | undefined, config: object) => {
      const facts = { caller: who, skill: fit, former, mayBe: 'any' } as const;
      const command = agentSkill.put(host, { ...ids, ...terms, config: { ...config } }, facts);
      return () => decider.decide(command, given());
    };
    const former = { active: false, terms: limited };
    expect(by(author, former, {})).toThrow(refusal('insufficient_scope'));
    expect(by(author, former, limited.config)).not.toThrow();
    expect(by(author, undefined, {})).not.toThrow();
    expect(by(caller, former, {})).not.toThrow();
  });

  it('must be there to be changed or taken away', () => {
    expect(() => decider.decide(change(fit, {}), given())).toThrow(NotFound);
    expect(() => decider.decide(unassign, given(created, deleted))).toThrow(NotFound);
  });

  it('is never written for an unfit skill, whatever comes', () => {
    const skill = fc.constantFrom(fit, ...unfit.map(([, facts]) => facts));
    const command: fc.Arbitrary<Command> = fc.oneof(
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
          const facts = each.puts ? each.facts.skill : fit;
          if (events.length > 0) expect(facts).toBe(fit);
          state = events.reduce((state, event) => decider.evolve(state, event), state);
        }
      }),
      many(100),
    );
  });
});

function decided(command: Command, state: State): readonly Event[] {
  try {
    return decider.decide(command, state);
  } catch {
    return [];
  }
}
