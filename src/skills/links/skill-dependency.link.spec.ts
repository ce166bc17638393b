import { NotFound } from '../../kernel/errors.js';
import { skillDependency } from './skill-dependency.link.js';

const { decider } = skillDependency;
type Command = Parameters<typeof decider.decide>[0];
type Event = Parameters<typeof decider.evolve>[1];
type State = typeof decider.initial;

const host = '00000000-0000-7000-8000-000000000001';
const ids = {
  skillId: '00000000-0000-7000-8000-00000000000a',
  dependsOnSkillId: '00000000-0000-7000-8000-00000000000b',
};
const put = (required: boolean, circular = false) =>
  skillDependency.put(host, { ...ids, required }, { circular });
const remove = skillDependency.remove(host, ids, undefined);
const created = (required: boolean): Event => ({
  type: 'SkillDependencyCreatedEvent',
  data: { ...ids, required },
});
const deleted: Event = { type: 'SkillDependencyDeletedEvent', data: ids };
const given = (...events: Event[]): State =>
  events.reduce((state, event) => decider.evolve(state, event), decider.initial);
const decide = (command: Command, state: State) => decider.decide(command, state);

describe('a dependency of a skill on another', () => {
  it('is made, and made again after it was taken away', () => {
    expect(decide(put(true), given())).toEqual([created(true)]);
    expect(decide(put(false), given(created(true), deleted))).toEqual([created(false)]);
  });

  it('is changed where it differs', () => {
    expect(decide(put(true), given(created(true)))).toEqual([]);
    expect(decide(put(false), given(created(true)))).toEqual([
      { type: 'SkillDependencyUpdatedEvent', data: { ...ids, required: false } },
    ]);
  });

  it('closes no circle', () => {
    expect(() => decide(put(true, true), given())).toThrow(
      expect.objectContaining({ code: 'skill_cycle' }) as Error,
    );
  });

  it('is taken away once', () => {
    expect(decide(remove, given(created(true)))).toEqual([deleted]);
    expect(() => decide(remove, given())).toThrow(NotFound);
    expect(() => decide(remove, given(created(true), deleted))).toThrow(NotFound);
  });
});
