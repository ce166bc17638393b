import type { Decider } from '../eventsourcing/decider.js';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import {
  ActivateApiVersion,
  CreateApiVersion,
  DeactivateApiVersion,
  ReplaceApiVersionSpec,
  type ApiVersionCommand,
  type UpdateApiVersionSpec,
} from './api-version.commands.js';
import type { ApiVersionEvent, ApiVersionSpecEvent } from './api-version.events.js';

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
