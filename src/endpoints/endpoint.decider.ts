import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { NotFound } from '../eventsourcing/errors.js';
import {
  AcceptEndpointChanges,
  ActivateEndpoint,
  DeactivateEndpoint,
  ImportEndpoint,
  SettleConflict,
  VanishEndpoint,
  type ApiEndpointCommand,
  type Brought,
  type Overrides,
  type Said,
} from './endpoint.commands.js';
import type { ApiEndpointEvent } from './endpoint.events.js';
import { override, settle } from './endpoint.overrides.js';
import {
  evolveEndpoint,
  importedInto,
  isChanged,
  unknownEndpoint,
  type EndpointState,
  type KnownEndpoint,
} from './endpoint.state.js';

/** Decides about one endpoint of an API version. A repeated import changes nothing; overrides outlive every import. */
export const endpointDecider: Decider<EndpointState, ApiEndpointCommand, ApiEndpointEvent> = {
  aggregateType: 'ApiEndpoint',
  initial: unknownEndpoint,

  decide(command, state) {
    if (command instanceof ImportEndpoint) return imported(command.payload, state);
    if (state.status === 'unknown') throw new NotFound('endpoint', command.aggregateId);
    if (command instanceof VanishEndpoint) {
      const { layer } = command.payload;
      if (state.layers[layer] === undefined || state.vanished.includes(layer)) return [];
      return [{ type: 'ApiEndpointVanishedEvent', data: { layer } }];
    }
    if (command instanceof DeactivateEndpoint) {
      return state.deactivated ? [] : [{ type: 'ApiEndpointDeactivatedEvent', data: {} }];
    }
    if (command instanceof ActivateEndpoint) {
      return state.deactivated ? [{ type: 'ApiEndpointActivatedEvent', data: {} }] : [];
    }
    if (command instanceof SettleConflict) {
      const data = settle(state, command.payload);
      return [{ type: 'ApiEndpointConflictSettledEvent', data: { ...command.payload, ...data } }];
    }
    if (command instanceof AcceptEndpointChanges) {
      return isChanged(state) ? [{ type: 'ApiEndpointChangesAcceptedEvent', data: {} }] : [];
    }
    return overridden(command.payload, state);
  },

  evolve: evolveEndpoint,
};

function imported(said: Said & Brought, state: EndpointState): readonly ApiEndpointEvent[] {
  const data = importedInto(state, said);
  if (state.status === 'unknown') return [{ type: 'ApiEndpointImportedEvent', data }];
  const { layer } = data;
  const events: ApiEndpointEvent[] = [];
  if (state.vanished.includes(layer)) events.push({ type: 'ApiEndpointReturnedEvent', data: { layer } });
  if (state.digests[layer] !== data.digest) events.push({ type: 'ApiEndpointImportedEvent', data });
  return events;
}

function overridden(change: Overrides, { layers, beneath }: KnownEndpoint): readonly ApiEndpointEvent[] {
  const data = override(layers, beneath, change);
  const before = { overrides: layers.operator ?? {}, beneath };
  return isDeepStrictEqual(data, before) ? [] : [{ type: 'ApiEndpointOverriddenEvent', data }];
}
