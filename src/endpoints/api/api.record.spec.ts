import { NotFound, RuleBroken } from '../../kernel/errors.js';
import type { ChangesOf, RecordEvent } from '../../platform/records/record-spec.js';
import { api } from './api.record.js';

type ApiEvent = RecordEvent<typeof api.spec>;
const { decider } = api;

const hostId = '0198c0de-0000-7000-8000-000000000001';
const unsaid = { businessGroup: null, lob: null, platform: null, capability: null, region: null };
const fields = { apiName: 'Account API', apiDesc: 'Accounts.', ...unsaid, gitRepo: null };
const created: ApiEvent = { type: 'ApiCreatedEvent', data: fields };
const known = decider.evolve(decider.initial, created);
const creating = api.create(hostId, 'accounts', fields);
const updating = (changes: ChangesOf<typeof api.spec>) => api.change(hostId, 'accounts', changes);

describe('an API', () => {
  it('is created with what is said of it', () => {
    expect(decider.decide(creating, decider.initial)).toEqual([created]);
  });

  it('is not created twice', () => {
    expect(() => decider.decide(creating, known)).toThrow(RuleBroken);
  });

  it('is made by an import where it is missing, and left alone where it is not', () => {
    const ensuring = api.ensure(hostId, 'accounts', { apiName: 'Account API' });
    expect(decider.decide(ensuring, decider.initial)).toMatchObject([{ type: 'ApiCreatedEvent' }]);
    expect(decider.decide(ensuring, known)).toEqual([]);
  });

  it('is updated with what changes; the event carries all of it', () => {
    const change = { apiName: 'Accounts', apiDesc: null };
    expect(decider.decide(updating(change), known)).toEqual([
      { type: 'ApiUpdatedEvent', data: { ...fields, ...change } },
    ]);
    expect(decider.decide(updating({ apiName: 'Account API', lob: null }), known)).toEqual([]);
    expect(decider.decide(updating({}), known)).toEqual([]);
  });

  it('is switched off and on, once each; what changes of it meanwhile leaves it off, and an import does too', () => {
    const [deactivate, activate] = [api.deactivate(hostId, 'accounts'), api.activate(hostId, 'accounts')];
    const off: ApiEvent = { type: 'ApiDeactivatedEvent', data: {} };
    const on: ApiEvent = { type: 'ApiActivatedEvent', data: {} };
    expect(decider.decide(deactivate, known)).toEqual([off]);
    const inactive = decider.evolve(known, off);
    expect(decider.decide(deactivate, inactive)).toEqual([]);
    expect(decider.decide(activate, inactive)).toEqual([on]);
    expect(decider.decide(activate, known)).toEqual([]);
    expect(decider.decide(api.ensure(hostId, 'accounts', { apiName: 'A' }), inactive)).toEqual([]);
    const changed = decider.decide(updating({ apiName: 'B' }), inactive);
    expect(
      changed.reduce<typeof known>((state, event) => decider.evolve(state, event), inactive),
    ).toMatchObject({
      active: false,
      fields: { apiName: 'B' },
    });
    expect(decider.evolve(inactive, on)).toEqual(known);
  });

  it('is neither updated nor switched before it is created', () => {
    const switches = [api.deactivate(hostId, 'a'), api.activate(hostId, 'a')];
    for (const command of [updating({}), ...switches]) {
      expect(() => decider.decide(command, decider.initial)).toThrow(NotFound);
    }
  });
});
