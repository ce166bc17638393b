import { NotFound } from '../eventsourcing/errors.js';
import { DeleteDependency, PutDependency, skillDependencyId } from './skill-dependency.commands.js';
import { skillDependencyDecider, type SkillDependencyState } from './skill-dependency.decider.js';
import type { SkillDependencyEvent } from './skill-dependency.events.js';

const host = '00000000-0000-7000-8000-000000000001';
const ids = {
  skillId: '00000000-0000-7000-8000-00000000000a',
  dependsOnSkillId: '00000000-0000-7000-8000-00000000000b',
};
const id = skillDependencyId(ids.skillId, ids.dependsOnSkillId);
const put = (required: boolean, circular = false) =>
  new PutDependency(host, id, { ...ids, required, circular });
const remove = new DeleteDependency(host, id, ids);
const created = (required: boolean): SkillDependencyEvent => ({
  type: 'SkillDependencyCreatedEvent',
  data: { ...ids, required },
});
const deleted: SkillDependencyEvent = { type: 'SkillDependencyDeletedEvent', data: ids };
const given = (...events: SkillDependencyEvent[]): SkillDependencyState =>
  events.reduce(
    (state, event) => skillDependencyDecider.evolve(state, event),
    skillDependencyDecider.initial,
  );
const decide = (command: PutDependency | DeleteDependency, state: SkillDependencyState) =>
  skillDependencyDecider.decide(command, state);

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
