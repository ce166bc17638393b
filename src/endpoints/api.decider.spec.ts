import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { ActivateApi, CreateApi, DeactivateApi, EnsureApi, UpdateApi } from './api.commands.js';
import { apiDecider, type ApiState } from './api.decider.js';
import type { ApiDetails, ApiEvent } from './api.events.js';

const hostId = '0198c0de-0000-7000-8000-000000000001';
const details: ApiDetails = {
  apiName: 'Account API',
  apiDesc: 'Accounts.',
  businessGroup: null,
  lob: null,
  platform: null,
  capability: null,
  region: null,
  gitRepo: null,
};
const created: ApiEvent = { type: 'ApiCreatedEvent', data: details };
const known: ApiState = apiDecider.evolve(apiDecider.initial, created);
const creating = new CreateApi(hostId, 'accounts', { apiName: 'Account API', apiDesc: 'Accounts.' });
const updating = (words: UpdateApi['payload']) => new UpdateApi(hostId, 'accounts', words);

describe('an API', () => {
  it('is created with what is said of it', () => {
    expect(apiDecider.decide(creating, apiDecider.initial)).toEqual([created]);
  });

  it('is not created twice', () => {
    expect(() => apiDecider.decide(creating, known)).toThrow(RuleBroken);
  });

  it('is made by an import where it is missing, and left alone where it is not', () => {
    const ensuring = new EnsureApi(hostId, 'accounts', { apiName: 'Account API' });
    expect(apiDecider.decide(ensuring, apiDecider.initial)).toMatchObject([{ type: 'ApiCreatedEvent' }]);
    expect(apiDecider.decide(ensuring, known)).toEqual([]);
  });

  it('is updated with what changes; the event carries all of it', () => {
    const change = { apiName: 'Accounts', apiDesc: null };
    expect(apiDecider.decide(updating(change), known)).toEqual([
      { type: 'ApiUpdatedEvent', data: { ...details, ...change } },
    ]);
    expect(apiDecider.decide(updating({ apiName: 'Account API', lob: null }), known)).toEqual([]);
    expect(apiDecider.decide(updating({}), known)).toEqual([]);
  });

  it('is switched off and on, once each; what changes of it meanwhile leaves it off, and an import does too', () => {
    const [deactivate, activate] = [
      new DeactivateApi(hostId, 'accounts', {}),
      new ActivateApi(hostId, 'accounts', {}),
    ];
    const off: ApiEvent = { type: 'ApiDeactivatedEvent', data: {} };
    const on: ApiEvent = { type: 'ApiActivatedEvent', data: {} };
    expect(apiDecider.decide(deactivate, known)).toEqual([off]);
    const inactive = apiDecider.evolve(known, off);
    expect(apiDecider.decide(deactivate, inactive)).toEqual([]);
    expect(apiDecider.decide(activate, inactive)).toEqual([on]);
    expect(apiDecider.decide(activate, known)).toEqual([]);
    expect(apiDecider.decide(new EnsureApi(hostId, 'accounts', { apiName: 'A' }), inactive)).toEqual([]);
    const changed = apiDecider.decide(updating({ apiName: 'B' }), inactive);
    expect(changed.reduce((state, event) => apiDecider.evolve(state, event), inactive)).toMatchObject({
      status: 'inactive',
      details: { apiName: 'B' },
    });
    expect(apiDecider.evolve(inactive, on)).toEqual(known);
  });

  it('is neither updated nor switched before it is created', () => {
    const switches = [new DeactivateApi(hostId, 'a', {}), new ActivateApi(hostId, 'a', {})];
    for (const command of [updating({}), ...switches]) {
      expect(() => apiDecider.decide(command, apiDecider.initial)).toThrow(NotFound);
    }
  });
});
