import { Command } from '../eventsourcing/command.js';
import type { EventOf } from '../eventsourcing/event-type.js';
import type { apiEndpointImported } from './endpoint.events.js';
import type { Layer } from './endpoint.layers.js';
import type { EndpointFacts } from '../formats/shared.js';

export type Imported = EventOf<typeof apiEndpointImported>['data'];

/** What a layer's document holds of an endpoint. */
export type Said = Omit<Imported, 'held' | 'suspicious'>;

/** Imports what a layer's document holds of an endpoint. */
export class ImportEndpoint extends Command<Said & Brought> {
  readonly aggregateType = 'ApiEndpoint';
  override readonly createsStream: boolean;

  /** `createsStream`: the plan has seen that there is no such endpoint yet. */
  constructor(hostId: string, endpointId: string, said: Said & Brought, createsStream: boolean) {
    super(hostId, endpointId, said);
    this.createsStream = createsStream;
  }
}

/** The rights of whoever imports. */
export interface Brought {
  /** Whether loosened guards apply at once: an administrator imports, or the endpoint is new. */
  readonly mayLoosen: boolean;
}

/** Marks an endpoint as missing from a layer's document. */
export class VanishEndpoint extends Command<{ readonly layer: Layer }> {
  readonly aggregateType = 'ApiEndpoint';
}

type Change<Facts> = { readonly [Field in keyof Facts]?: Facts[Field] | null };

/** The overrides of an endpoint: left out is unchanged, `null` takes back (a whole part as well). */
export interface Overrides {
  readonly description?: string | null;
  readonly operatorDescription?: string | null;
  readonly lifecycleStatus?: EndpointFacts['lifecycleStatus'] | null;
  readonly routing?: Change<NonNullable<EndpointFacts['routing']>> | null;
  /** `read_only` is read as `readOnly`. */
  readonly safety?: Change<NonNullable<EndpointFacts['safety']> & { readonly read_only?: boolean }> | null;
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
