import { Command, type Decider } from '../../kernel/command.js';
import type { Layer } from './endpoint.layers.js';
import { override, type Overrides, settle } from './endpoint.overrides.js';
import {
  type Brought,
  type EndpointState,
  evolveEndpoint,
  importedInto,
  isChanged,
  type KnownEndpoint,
  type Said,
  unknownEndpoint,
} from './endpoint.state.js';
import { isDeepStrictEqual } from 'node:util';
import { NotFound } from '../../kernel/errors.js';
import type { ApiEndpointEvent } from './endpoint.events.js';

/** Imports the description of an endpoint in a layer's document. */
export class ImportEndpoint extends Command<Said & Brought> {
  readonly aggregateType = 'ApiEndpoint';
  override readonly createsStream: boolean;

  /** `createsStream`: the plan has found that there is no such endpoint yet. */
  constructor(hostId: string, endpointId: string, said: Said & Brought, createsStream: boolean) {
    super(hostId, endpointId, said);
    this.createsStream = createsStream;
  }
}

/** Marks an endpoint as missing from a layer's document. */
export class VanishEndpoint extends Command<{ readonly layer: Layer }> {
  readonly aggregateType = 'ApiEndpoint';
}

export class OverrideEndpoint extends Command<Overrides> {
  readonly aggregateType = 'ApiEndpoint';
}

export class DeactivateEndpoint extends Command<Record<never, never>> {
  readonly aggregateType = 'ApiEndpoint';
}

export class ActivateEndpoint extends Command<Record<never, never>> {
  readonly aggregateType = 'ApiEndpoint';
}

/** Ends a conflict: the field takes the value of the layer. */
export class SettleConflict extends Command<{ readonly field: string; readonly take: Layer }> {
  readonly aggregateType = 'ApiEndpoint';
}

export class AcceptEndpointChanges extends Command<Record<never, never>> {
  readonly aggregateType = 'ApiEndpoint';
}

export type ApiEndpointCommand =
  | ImportEndpoint
  | VanishEndpoint
  | OverrideEndpoint
  | DeactivateEndpoint
  | ActivateEndpoint
  | SettleConflict
  | AcceptEndpointChanges;

/** Decides about one endpoint of an API version. A repeated import changes nothing; overrides outlive every import. */
export const endpointDecider: Decider<EndpointState, ApiEndpointCommand, ApiEndpointEvent> = {
  aggregateType: 'ApiEndpoint',
  initial: unknownEndpoint,

  decide(command, state) {
    if (command instanceof ImportEndpoint) return imported(command.payload, state);
    if (state.status === 'unknown') throw new NotFound('endpoint', command.aggregateId);
    if (command instanceof VanishEndpoint) {
      const { layer } = command.payload;
      if (state.layers[layer] === undefined || state.missing.includes(layer)) return [];
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
  if (state.missing.includes(layer)) events.push({ type: 'ApiEndpointReturnedEvent', data: { layer } });
  if (state.digests[layer] !== data.digest) events.push({ type: 'ApiEndpointImportedEvent', data });
  return events;
}

function overridden(change: Overrides, { layers, baseline }: KnownEndpoint): readonly ApiEndpointEvent[] {
  const data = override(layers, baseline, change);
  const before = { overrides: layers.operator ?? {}, beneath: baseline };
  return isDeepStrictEqual(data, before) ? [] : [{ type: 'ApiEndpointOverriddenEvent', data }];
}
