import { Command, type Decider } from '../../eventsourcing/command.js';
import type { ApiType } from '../../formats/shared.js';
import type { ApiVersionEvent, ApiVersionSpecEvent } from './api-version.events.js';
import { Invalid, NotFound } from '../../eventsourcing/errors.js';

/** Makes a version of an API that exists. The aggregate id is a fresh UUID v7. */
export class CreateApiVersion extends Command<{
  readonly apiId: string;
  readonly apiVersion: string;
  readonly apiType: ApiType;
  readonly serviceId: string;
  readonly envTag: string | null;
  readonly apiVersionDesc?: string | null;
  readonly quarantine: boolean;
}> {
  readonly aggregateType = 'ApiVersion';
  override readonly createsStream = true;
}

export class UpdateApiVersion extends Command<{
  readonly apiVersionDesc?: string | null;
  readonly quarantine?: boolean;
}> {
  readonly aggregateType = 'ApiVersion';
}

/** Goes with {@link UpdateApiVersionSpec} where the version was there before. */
export class ReplaceApiVersionSpec extends Command<{ readonly specDigest: string }> {
  readonly aggregateType = 'ApiVersion';
}

/** Deactivates a version, whatever uses it: endpoints, tools, links and assignments stay. */
export class DeactivateApiVersion extends Command<Record<never, never>> {
  readonly aggregateType = 'ApiVersion';
  /** Tells it from {@link ActivateApiVersion}, which TypeScript compares by shape. */
  readonly active = false;
}

export class ActivateApiVersion extends Command<Record<never, never>> {
  readonly aggregateType = 'ApiVersion';
  readonly active = true;
}

export type ApiVersionCommand =
  CreateApiVersion | UpdateApiVersion | ReplaceApiVersionSpec | DeactivateApiVersion | ActivateApiVersion;

/** Puts a document in force. The aggregate id is a fresh UUID v7: that of this document. */
export class UpdateApiVersionSpec extends Command<ApiVersionSpecEvent['data']> {
  readonly aggregateType = 'ApiVersionSpec';
  override readonly createsStream = true;
}

export type ApiVersionState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'active' | 'inactive';
      readonly apiVersionDesc: string | null;
      readonly quarantine: boolean;
      /** Of the document that replaced another; null for the one that the version came with. */
      readonly specDigest: string | null;
    };

export const apiVersionDecider: Decider<ApiVersionState, ApiVersionCommand, ApiVersionEvent> = {
  aggregateType: 'ApiVersion',
  initial: { status: 'unknown' },

  decide(command, state) {
    if (command instanceof CreateApiVersion) {
      const { apiType, envTag } = command.payload;
      if (apiType === 'agent' && envTag === null) throw agentNeedsEnvironment();
      const data = { apiVersionDesc: null, ...command.payload };
      return [{ type: 'ApiVersionCreatedEvent', data }];
    }
    if (state.status === 'unknown') throw new NotFound('API version', command.aggregateId);
    if (command instanceof ReplaceApiVersionSpec) {
      const known = command.payload.specDigest === state.specDigest;
      return known ? [] : [{ type: 'ApiVersionSpecReplacedEvent', data: command.payload }];
    }
    if (command instanceof DeactivateApiVersion || command instanceof ActivateApiVersion) {
      if (command.active === (state.status === 'active')) return [];
      return [{ type: command.active ? 'ApiVersionActivatedEvent' : 'ApiVersionDeactivatedEvent', data: {} }];
    }
    const { apiVersionDesc = state.apiVersionDesc, quarantine = state.quarantine } = command.payload;
    if (apiVersionDesc === state.apiVersionDesc && quarantine === state.quarantine) return [];
    return [{ type: 'ApiVersionUpdatedEvent', data: { apiVersionDesc, quarantine } }];
  },

  evolve(state, event) {
    if (event.type === 'ApiVersionCreatedEvent') {
      const { apiVersionDesc, quarantine } = event.data;
      return { status: 'active', apiVersionDesc, quarantine, specDigest: null };
    }
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'ApiVersionUpdatedEvent':
      case 'ApiVersionSpecReplacedEvent':
        return { ...state, ...event.data };
      case 'ApiVersionDeactivatedEvent':
        return { ...state, status: 'inactive' };
      case 'ApiVersionActivatedEvent':
        return { ...state, status: 'active' };
    }
  },
};

/** Whether the document was kept. */
export type ApiVersionSpecState = boolean;

export const apiVersionSpecDecider: Decider<ApiVersionSpecState, UpdateApiVersionSpec, ApiVersionSpecEvent> =
  {
    aggregateType: 'ApiVersionSpec',
    initial: false,
    decide: ({ payload }, kept) => (kept ? [] : [{ type: 'ApiVersionSpecUpdatedEvent', data: payload }]),
    evolve: () => true,
  };

function agentNeedsEnvironment(): Invalid {
  const detail = 'An agent serves one environment: name it in envTag.';
  return new Invalid('invalid_body', detail, [{ pointer: '/envTag', detail }]);
}
