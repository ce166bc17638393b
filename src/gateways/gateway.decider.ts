import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { ActivateGateway, WriteGateway, type GatewayCommand } from './gateway.commands.js';
import type { GatewayEvent, GatewayProfile } from './gateway.events.js';

export type GatewayState =
  | { readonly status: 'unknown' }
  | { readonly status: 'active' | 'inactive'; readonly profile: GatewayProfile };

export const gatewayDecider: Decider<GatewayState, GatewayCommand, GatewayEvent> = {
  aggregateType: 'Gateway',
  initial: { status: 'unknown' },

  decide(command, state) {
    if (command instanceof WriteGateway) return written(command, state);
    if (state.status === 'unknown') throw new NotFound('gateway', command.aggregateId);
    if (command instanceof ActivateGateway) {
      if (state.status === 'active') return [];
      refuseSecond(command.payload.heldBy);
      return [{ type: 'GatewayActivatedEvent', data: {} }];
    }
    return state.status === 'active' ? [{ type: 'GatewayDeactivatedEvent', data: {} }] : [];
  },

  evolve(state, event) {
    if (event.type === 'GatewayCreatedEvent') return { status: 'active', profile: event.data };
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'GatewayUpdatedEvent':
        return { ...state, profile: { ...state.profile, ...event.data } };
      case 'GatewayActivatedEvent':
        return { ...state, status: 'active' };
      case 'GatewayDeactivatedEvent':
        return { ...state, status: 'inactive' };
    }
  },
};

function written(
  { aggregateId, payload: { profile, heldBy } }: WriteGateway,
  state: GatewayState,
): readonly GatewayEvent[] {
  if (state.status === 'unknown') {
    refuseSecond(heldBy);
    return [{ type: 'GatewayCreatedEvent', data: profile }];
  }
  const { serviceId, envTag, ...settings } = profile;
  if (serviceId !== state.profile.serviceId || envTag !== state.profile.envTag) {
    const { profile: known } = state;
    throw new RuleBroken(
      'gateway_identity_fixed',
      `Gateway ${aggregateId} is that of ${known.serviceId} in ${known.envTag} for good. Register another gateway under a new id.`,
    );
  }
  const differs = ([member, value]: [string, unknown]): boolean =>
    !isDeepStrictEqual(state.profile[member as keyof GatewayProfile], value);
  const data = Object.fromEntries(Object.entries(settings).filter(differs));
  return Object.keys(data).length === 0 ? [] : [{ type: 'GatewayUpdatedEvent', data }];
}

function refuseSecond(heldBy: string | null): void {
  if (heldBy === null) return;
  throw new RuleBroken(
    'gateway_exists',
    `The active gateway ${heldBy} is that of this service and environment already. Change it, or deactivate it first.`,
  );
}
