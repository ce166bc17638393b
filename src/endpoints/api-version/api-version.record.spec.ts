import { Invalid, NotFound } from '../../kernel/errors.js';
import type { ChangesOf, NewOf } from '../../platform/records/record-spec.js';
import {
  apiVersion,
  apiVersionDecider,
  apiVersionSpecDecider,
  type ApiVersionEvent,
  type ApiVersionState,
  ReplaceApiVersionSpec,
  UpdateApiVersionSpec,
} from './api-version.record.js';

const hostId = '0198c0de-0000-7000-8000-000000000001';
const id = '0198c0de-0000-7000-8000-00000000a001';
const version: NewOf<typeof apiVersion.spec> = {
  apiId: 'accounts',
  apiVersion: '1.2.0',
  apiType: 'openapi',
  serviceId: 'com.example.accounts',
  envTag: null,
  quarantine: false,
};
const created: ApiVersionEvent = {
  type: 'ApiVersionCreatedEvent',
  data: { ...version, apiVersionDesc: null },
};
const known: ApiVersionState = apiVersionDecider.evolve(apiVersionDecider.initial, created);
const updating = (changes: ChangesOf<typeof apiVersion.spec>) => apiVersion.change(hostId, id, changes);

describe('an API version', () => {
  it('is created, for every environment where none is named', () => {
    const command = apiVersion.create(hostId, id, version);
    expect(apiVersionDecider.decide(command, apiVersionDecider.initial)).toEqual([created]);
  });

  it('of an agent names its environment', () => {
    const agent = apiVersion.create(hostId, id, { ...version, apiType: 'agent' });
    expect(() => apiVersionDecider.decide(agent, apiVersionDecider.initial)).toThrow(Invalid);
  });

  it('is updated with what changes', () => {
    expect(apiVersionDecider.decide(updating({ quarantine: true }), known)).toEqual([
      { type: 'ApiVersionUpdatedEvent', data: { apiVersionDesc: null, quarantine: true } },
    ]);
    expect(apiVersionDecider.decide(updating({ quarantine: false }), known)).toEqual([]);
  });

  it('is another version with another document, and the same in all else', () => {
    const event = { type: 'ApiVersionSpecReplacedEvent' as const, data: { specDigest: 'b' } };
    const command = new ReplaceApiVersionSpec(hostId, id, event.data);
    expect(apiVersionDecider.decide(command, known)).toEqual([event]);
    const replaced = apiVersionDecider.evolve(known, event);
    expect(replaced).toEqual({ ...known, specDigest: 'b' });
    expect(apiVersionDecider.decide(command, replaced)).toEqual([]);
  });

  it('is switched off and on, once each; what changes of it meanwhile leaves it off', () => {
    const [deactivate, activate] = [apiVersion.deactivate(hostId, id), apiVersion.activate(hostId, id)];
    const off: ApiVersionEvent = { type: 'ApiVersionDeactivatedEvent', data: {} };
    const on: ApiVersionEvent = { type: 'ApiVersionActivatedEvent', data: {} };
    expect(apiVersionDecider.decide(deactivate, known)).toEqual([off]);
    const inactive = apiVersionDecider.evolve(known, off);
    expect(apiVersionDecider.decide(deactivate, inactive)).toEqual([]);
    expect(apiVersionDecider.decide(activate, inactive)).toEqual([on]);
    expect(apiVersionDecider.decide(activate, known)).toEqual([]);
    const spec = new ReplaceApiVersionSpec(hostId, id, { specDigest: 'c' });
    const meanwhile = [updating({ quarantine: true }), spec].flatMap((command) =>
      apiVersionDecider.decide(command, inactive),
    );
    expect(
      meanwhile.reduce((state, event) => apiVersionDecider.evolve(state, event), inactive),
    ).toMatchObject({
      version: { active: false, fields: { quarantine: true } },
      specDigest: 'c',
    });
    expect(apiVersionDecider.evolve(inactive, on)).toEqual(known);
  });

  it('is neither updated nor switched before it is created', () => {
    const switches = [apiVersion.deactivate(hostId, id), apiVersion.activate(hostId, id)];
    for (const command of [updating({}), ...switches]) {
      expect(() => apiVersionDecider.decide(command, apiVersionDecider.initial)).toThrow(NotFound);
    }
  });
});

describe('a document of an API version', () => {
  const data = { apiVersionId: id, spec: '{}', specDigest: 'a', format: 'openapi', formatVersion: '3.1.0' };
  const command = new UpdateApiVersionSpec(hostId, '0198c0de-0000-7000-8000-00000000d001', data);

  it('is kept once', () => {
    const event = { type: 'ApiVersionSpecUpdatedEvent' as const, data };
    expect(apiVersionSpecDecider.decide(command, apiVersionSpecDecider.initial)).toEqual([event]);
    expect(apiVersionSpecDecider.decide(command, apiVersionSpecDecider.evolve(false, event))).toEqual([]);
  });
});
