import fc from 'fast-check';
import { NotFound } from '../eventsourcing/errors.js';
import { leastAccessLevel } from './access-level.js';
import { LinkTool, skillToolId, UnlinkTool } from './skill-tool.commands.js';
import { skillToolDecider, type SkillToolState } from './skill-tool.decider.js';
import { accessLevels, type AccessLevel, type SkillToolEvent } from './skill-tool.events.js';

const host = '00000000-0000-7000-8000-000000000001';
const ids = {
  skillId: '00000000-0000-7000-8000-00000000000a',
  toolId: '00000000-0000-7000-8000-00000000000b',
};
const id = skillToolId(ids.skillId, ids.toolId);
const link = (accessLevel: AccessLevel, config: Record<string, unknown> = {}) =>
  new LinkTool(host, id, { ...ids, accessLevel, config });
const unlink = new UnlinkTool(host, id, { ...ids, needs: [] });
const given = (...events: SkillToolEvent[]): SkillToolState =>
  events.reduce((state, event) => skillToolDecider.evolve(state, event), skillToolDecider.initial);
const created = (accessLevel: AccessLevel, config = {}): SkillToolEvent => ({
  type: 'SkillToolCreatedEvent',
  data: { ...ids, accessLevel, config },
});
const deleted: SkillToolEvent = { type: 'SkillToolDeletedEvent', data: ids };

describe('a link of a skill to a tool', () => {
  it('is made, and made again after it was taken away', () => {
    expect(skillToolDecider.decide(link('read'), given())).toEqual([created('read')]);
    expect(skillToolDecider.decide(link('read'), given(created('read'), deleted))).toEqual([created('read')]);
  });

  it('is changed as a whole, and not at all where it is the same', () => {
    const before = given(created('read', { priority: 1, notes: 'n' }));
    expect(skillToolDecider.decide(link('read', { notes: 'n', priority: 1 }), before)).toEqual([]);
    expect(skillToolDecider.decide(link('write', { notes: 'n', priority: 1 }), before)).toMatchObject([
      { type: 'SkillToolUpdatedEvent', data: { accessLevel: 'write', config: { priority: 1, notes: 'n' } } },
    ]);
    expect(skillToolDecider.decide(link('read'), before)).toMatchObject([{ data: { config: {} } }]);
  });

  it('is taken away once', () => {
    expect(skillToolDecider.decide(unlink, given(created('read')))).toEqual([deleted]);
    expect(() => skillToolDecider.decide(unlink, given())).toThrow(NotFound);
    expect(() => skillToolDecider.decide(unlink, given(created('read'), deleted))).toThrow(NotFound);
  });

  it('has one id per pair', () => {
    expect(skillToolId(ids.skillId, ids.toolId)).toBe(id);
    expect(skillToolId(ids.toolId, ids.skillId)).not.toBe(id);
  });

  it('obeys: said twice is said once', () => {
    const command = fc.record({
      level: fc.constantFrom(...accessLevels),
      config: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.array(command), command, (before, last) => {
        const run = (state: SkillToolState, { level, config }: typeof last): SkillToolState =>
          skillToolDecider
            .decide(link(level, config), state)
            .reduce((state, event) => skillToolDecider.evolve(state, event), state);
        const state = run(before.reduce(run, given()), last);
        expect(skillToolDecider.decide(link(last.level, last.config), state)).toEqual([]);
      }),
    );
  });
});

describe('the least access level that admits a tool', () => {
  it.each([
    [{ readOnly: true, destructive: false }, 'read'],
    [{ readOnly: false, destructive: false }, 'write'],
    [{}, 'write'],
    [{ readOnly: false, destructive: true }, 'execute'],
    [{ readOnly: true }, 'read'],
  ] as const)('of %j is %s', (safety, level) => {
    expect(leastAccessLevel(safety)).toBe(level);
  });
});
