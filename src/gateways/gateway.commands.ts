import { Command } from '../eventsourcing/command.js';
import type { GatewayProfile } from './gateway.events.js';

/** The other active gateway of the same service and environment, if there is one. */
interface Neighbour {
  readonly heldBy: string | null;
}

/** Writes the whole profile of a gateway, new or old, under the id that the caller chose. */
export class WriteGateway extends Command<Neighbour & { readonly profile: GatewayProfile }> {
  readonly aggregateType = 'Gateway';
}

export class ActivateGateway extends Command<Neighbour> {
  readonly aggregateType = 'Gateway';
}

/** Its exposures stay, and count no longer; its service and environment are free for another one. */
export class DeactivateGateway extends Command<Record<never, never>> {
  readonly aggregateType = 'Gateway';
}

export type GatewayCommand = WriteGateway | ActivateGateway | DeactivateGateway;
