import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import {
  ActivateApi,
  CreateApi,
  DeactivateApi,
  EnsureApi,
  type ApiCommand,
  type ApiWords,
} from './api.commands.js';
import type { ApiDetails, ApiEvent } from './api.events.js';

export type ApiState =
  { readonly status: 'unknown' } | { readonly status: 'active' | 'inactive'; readonly details: ApiDetails };

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
    if (command instanceof EnsureApi) return state.status === 'unknown' ? created(command.payload) : [];
    if (command instanceof CreateApi) {
      if (state.status !== 'unknown') throw apiExists(command.aggregateId);
      return created(command.payload);
    }
    if (state.status === 'unknown') throw new NotFound('API', command.aggregateId);
    if (command instanceof DeactivateApi || command instanceof ActivateApi) {
      if (command.active === (state.status === 'active')) return [];
      return [{ type: command.active ? 'ApiActivatedEvent' : 'ApiDeactivatedEvent', data: {} }];
    }
    const details = { ...state.details, ...command.payload };
    return changes(state.details, command.payload) ? [{ type: 'ApiUpdatedEvent', data: details }] : [];
  },

  evolve(state, event) {
    if (event.type === 'ApiCreatedEvent') return { status: 'active', details: event.data };
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'ApiUpdatedEvent':
        return { ...state, details: event.data };
      case 'ApiDeactivatedEvent':
        return { ...state, status: 'inactive' };
      case 'ApiActivatedEvent':
        return { ...state, status: 'active' };
    }
  },
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
