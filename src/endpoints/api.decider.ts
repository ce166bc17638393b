import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { CreateApi, EnsureApi, type ApiCommand, type ApiWords } from './api.commands.js';
import type { ApiDetails, ApiEvent } from './api.events.js';

export type ApiState =
  { readonly status: 'unknown' } | { readonly status: 'known'; readonly details: ApiDetails };

const nothingSaid: Omit<ApiDetails, 'apiName'> = {
  apiDesc: null,
  businessGroup: null,
  lob: null,
  platform: null,
  capability: null,
  region: null,
  gitRepo: null,
};

export const apiDecider: Decider<ApiState, ApiCommand, ApiEvent> = {
  aggregateType: 'Api',
  initial: { status: 'unknown' },

  decide(command, state) {
    if (command instanceof EnsureApi) return state.status === 'known' ? [] : created(command.payload);
    if (command instanceof CreateApi) {
      if (state.status === 'known') throw apiExists(command.aggregateId);
      return created(command.payload);
    }
    if (state.status === 'unknown') throw new NotFound('API', command.aggregateId);
    const details = { ...state.details, ...command.payload };
    return changes(state.details, command.payload) ? [{ type: 'ApiUpdatedEvent', data: details }] : [];
  },

  evolve: (_state, event) => ({ status: 'known', details: event.data }),
};

function created(words: CreateApi['payload']): readonly ApiEvent[] {
  return [{ type: 'ApiCreatedEvent', data: { ...nothingSaid, ...words } }];
}

function changes(details: ApiDetails, words: ApiWords): boolean {
  return Object.entries(words).some(([word, said]) => details[word as keyof ApiDetails] !== said);
}

function apiExists(apiId: string): RuleBroken {
  return new RuleBroken(
    'api_exists',
    `There is an API ${apiId} already. Change it with PATCH, or take another apiId.`,
  );
}
