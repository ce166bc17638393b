import type { EventOf } from '../../kernel/event.js';
import type { ApiEndpointEvent, apiEndpointImported } from './endpoint.events.js';
import type { Baseline, Settled } from './endpoint.overrides.js';
import { heldAfter, heldBeside, holding, turnsSuspicious, withoutHeld } from './endpoint.guards.js';
import type { Layer, Layers } from './endpoint.layers.js';
import type { EndpointFacts } from '../../formats/shared.js';

/** The state of an endpoint. The decider and the projection fold it from the same events. */
export type EndpointState = { readonly status: 'unknown' } | KnownEndpoint;

export interface KnownEndpoint {
  readonly status: 'known';
  readonly apiId: string;
  readonly apiVersionId: string;
  /** The endpoint key. */
  readonly endpoint: string;
  readonly serviceId: string;
  readonly envTag: string | null;
  readonly layers: Layers;
  /** Digest of what each document layer says. */
  readonly digests: Readonly<Partial<Record<Layer, string>>>;
  /** Layers whose document no longer holds the endpoint. */
  readonly missing: readonly Layer[];
  /** Whether an operator has switched it off. */
  readonly deactivated: boolean;
  readonly baseline: Baseline;
  readonly settled: Settled;
  /** Digest of what each document layer said when an operator last accepted it. */
  readonly accepted: Readonly<Partial<Record<Layer, string>>>;
  /** Whether something suspicious has come with the documents since. */
  readonly suspicious: boolean;
}

export const unknownEndpoint: EndpointState = { status: 'unknown' };

const blank: KnownEndpoint = {
  status: 'known',
  apiId: '',
  apiVersionId: '',
  endpoint: '',
  serviceId: '',
  envTag: null,
  layers: {},
  digests: {},
  missing: [],
  deactivated: false,
  baseline: {},
  settled: {},
  accepted: {},
  suspicious: false,
};

export function evolveEndpoint(state: EndpointState, event: ApiEndpointEvent): KnownEndpoint {
  const known = state.status === 'known' ? state : blank;
  switch (event.type) {
    case 'ApiEndpointImportedEvent': {
      const { layer, digest, facts, held = {}, seen = false, suspicious = false, ...identity } = event.data;
      const layers = holding({ ...known.layers, [layer]: facts }, held);
      const digests = { ...known.digests, [layer]: digest };
      // The first import of a layer is no change.
      const accepted = { [layer]: digest, ...known.accepted, ...(seen && { [layer]: digest }) };
      const imported = { ...known, ...identity, layers, digests, accepted };
      return { ...imported, suspicious: isChanged(imported) && (known.suspicious || suspicious) };
    }
    case 'ApiEndpointVanishedEvent':
      return { ...known, missing: [...without(known.missing, event.data.layer), event.data.layer] };
    case 'ApiEndpointReturnedEvent':
      return { ...known, missing: without(known.missing, event.data.layer) };
    case 'ApiEndpointOverriddenEvent':
      return withOverrides(known, event.data.overrides, event.data.beneath);
    case 'ApiEndpointDeactivatedEvent':
      return { ...known, deactivated: true };
    case 'ApiEndpointActivatedEvent':
      return { ...known, deactivated: false };
    case 'ApiEndpointConflictSettledEvent': {
      const { overrides, beneath: baseline, settled } = event.data;
      return { ...withOverrides(known, overrides, baseline), settled };
    }
    case 'ApiEndpointChangesAcceptedEvent':
      return { ...known, accepted: known.digests, suspicious: false, layers: withoutHeld(known.layers) };
  }
}

function withOverrides(known: KnownEndpoint, overrides: EndpointFacts, baseline: Baseline): KnownEndpoint {
  const { operator: _, ...others } = known.layers;
  const documents = holding(others, heldBeside(others.held, overrides));
  const layers = Object.keys(overrides).length === 0 ? documents : { ...documents, operator: overrides };
  return { ...known, layers, baseline };
}

const without = (all: readonly Layer[], layer: Layer): readonly Layer[] =>
  all.filter((other) => other !== layer);

export type Imported = EventOf<typeof apiEndpointImported>['data'];

/** The description of an endpoint in the document of a layer. */
export type Said = Omit<Imported, 'held' | 'suspicious'>;

/** The rights of whoever imports. */
export interface Brought {
  /** Whether loosened guards apply at once: an administrator imports, or the endpoint is new. */
  readonly mayLoosen: boolean;
}

/** Makes the data of the import event, with the guards that are held. */
export function importedInto(state: EndpointState, { mayLoosen, ...said }: Said & Brought): Imported {
  if (state.status === 'unknown') return said;
  const after = { ...state.layers, [said.layer]: said.facts };
  const held = heldAfter(state.layers, after, mayLoosen);
  return {
    ...said,
    ...(Object.keys(held).length > 0 && { held }),
    ...(said.seen !== true && turnsSuspicious(state.layers, after) && { suspicious: true }),
  };
}

/** Tells whether only an administrator may accept the documents: they loosen a guard, or are suspicious otherwise. */
export function awaitsAdministrator({ layers, suspicious }: KnownEndpoint): boolean {
  return layers.held !== undefined || suspicious;
}

/** Tells whether a document has changed since an operator last accepted it. */
export function isChanged({ digests, accepted, layers }: KnownEndpoint): boolean {
  if (layers.held !== undefined) return true;
  const said = Object.keys(digests) as Layer[];
  return said.some((layer) => digests[layer] !== accepted[layer]);
}

/**
 * Whether the endpoint is offered: no operator has switched it off, and the document that says how it is called
 * (the source's, else the gateway's) still holds it.
 */
export function isActive(state: EndpointState): boolean {
  if (state.status === 'unknown' || state.deactivated) return false;
  const caller = state.layers.source === undefined ? 'gateway' : 'source';
  return state.layers[caller] !== undefined && !state.missing.includes(caller);
}
