import type { Decider } from '../eventsourcing/decider.js';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import {
  CreateApiVersion,
  ReplaceApiVersionSpec,
  type ApiVersionCommand,
  type UpdateApiVersionSpec,
} from './api-version.commands.js';
import type { ApiVersionEvent, ApiVersionSpecEvent } from './api-version.events.js';

export type ApiVersionState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
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
    const { apiVersionDesc = state.apiVersionDesc, quarantine = state.quarantine } = command.payload;
    if (apiVersionDesc === state.apiVersionDesc && quarantine === state.quarantine) return [];
    return [{ type: 'ApiVersionUpdatedEvent', data: { apiVersionDesc, quarantine } }];
  },

  evolve: (state, event) => {
    if (event.type === 'ApiVersionSpecReplacedEvent')
      return state.status === 'unknown' ? state : { ...state, ...event.data };
    const { apiVersionDesc, quarantine } = event.data;
    const specDigest = state.status === 'unknown' ? null : state.specDigest;
    return { status: 'known', apiVersionDesc, quarantine, specDigest };
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
