import type { Decider } from '../eventsourcing/decider.js';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import {
  CreateApiVersion,
  type ApiVersionCommand,
  type UpdateApiVersionSpec,
} from './api-version.commands.js';
import type { ApiVersionEvent, ApiVersionSpecEvent } from './api-version.events.js';

export type ApiVersionState =
  | { readonly status: 'unknown' }
  | { readonly status: 'known'; readonly apiVersionDesc: string | null; readonly quarantine: boolean };

export const apiVersionDecider: Decider<ApiVersionState, ApiVersionCommand, ApiVersionEvent> = {
  aggregateType: 'ApiVersion',
  initial: { status: 'unknown' },

  decide(command, state) {
    if (command instanceof CreateApiVersion) {
      const { apiType, envTag } = command.payload;
      if (apiType === 'agent' && envTag === null) throw agentNeedsEnvironment();
      const data = { apiVersionDesc: null, quarantine: false, ...command.payload };
      return [{ type: 'ApiVersionCreatedEvent', data }];
    }
    if (state.status === 'unknown') throw new NotFound('API version', command.aggregateId);
    const { apiVersionDesc = state.apiVersionDesc, quarantine = state.quarantine } = command.payload;
    if (apiVersionDesc === state.apiVersionDesc && quarantine === state.quarantine) return [];
    return [{ type: 'ApiVersionUpdatedEvent', data: { apiVersionDesc, quarantine } }];
  },

  evolve: (_state, { data }) => ({
    status: 'known',
    apiVersionDesc: data.apiVersionDesc,
    quarantine: data.quarantine,
  }),
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
