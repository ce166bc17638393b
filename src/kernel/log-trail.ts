/** How a log is walked through, event by event, and told from what was written. Pure. */
import { sha256Hex } from './canonical-json.js';
import { chainHash, digestOf, envelopeOf, GENESIS_HASH, type StoredEvent } from './envelope.js';
import { Invalid } from './errors.js';

/** What is wrong with a log, at the first place where something is. */
export interface LogFault {
  readonly position: number;
  /** `rewritten`: whole in itself, but not the log of which the anchor was taken. */
  readonly finding: 'added' | 'altered' | 'removed' | 'rewritten';
  readonly detail: string;
}

/** How far a walk has come: the last event that is as it was written. */
export interface Trail {
  position: number;
  hash: string;
}

export function beginning(): Trail {
  return { position: 0, hash: GENESIS_HASH };
}

/** Goes on to the next event; says why where it is not what was written there, and then stays. */
export function walk(
  trail: Trail,
  event: StoredEvent,
  anchors: ReadonlyMap<number, Anchor>,
): LogFault | undefined {
  const fault = faultOf(event, trail) ?? rewritten(event, anchors);
  if (fault !== undefined) return fault;
  trail.position = event.position;
  trail.hash = event.hash;
  return undefined;
}

function faultOf(event: StoredEvent, trail: Trail): LogFault | undefined {
  const position = trail.position + 1;
  if (event.position !== position) return removed(position, event.position - 1);
  if (event.data !== null && sha256Hex(event.data) !== event.data_digest) {
    return { position, finding: 'altered', detail: `The data of event ${event.id} is not what was written.` };
  }
  const digest = digestOf(envelopeOf(event));
  if (chainHash(trail.hash, position, event.time, digest) === event.hash) return undefined;
  return {
    position,
    finding: 'altered',
    detail: `Event ${event.id} is not what was written here: it was altered, added, or put in another's place.`,
  };
}

export function removed(from: number, to: number): LogFault {
  const which = from === to ? `Event ${String(from)} is` : `Events ${String(from)} to ${String(to)} are`;
  return { position: from, finding: 'removed', detail: `${which} missing.` };
}

/** What a log was at some time: kept elsewhere, it proves later that the log was not rewritten. */
export interface Anchor {
  readonly hostId: string;
  readonly position: number;
  readonly hash: string;
}

/** @throws Invalid `invalid_anchor` */
export function readAnchor(text: string): Anchor {
  const [, hostId = '', position = '', hash = ''] = /^([0-9a-f-]{36}):(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === '')
    throw new Invalid('invalid_anchor', `${text} is no anchor: it reads hostId:position:hash.`);
  return { hostId, position: Number(position), hash };
}

/** The anchors of one host by position. */
export function anchorsOf(hostId: string, anchors: readonly Anchor[]): ReadonlyMap<number, Anchor> {
  return new Map(
    anchors.filter((anchor) => anchor.hostId === hostId).map((anchor) => [anchor.position, anchor]),
  );
}

/** `hostId:position:hash` */
export function anchorText({ hostId, position, hash }: Anchor): string {
  return `${hostId}:${String(position)}:${hash}`;
}

function rewritten(event: StoredEvent, anchors: ReadonlyMap<number, Anchor>): LogFault | undefined {
  const anchor = anchors.get(event.position);
  if (anchor === undefined || anchor.hash === event.hash) return undefined;
  return {
    position: event.position,
    finding: 'rewritten',
    detail: `The log is whole in itself, but at this position it once had the hash ${anchor.hash}.`,
  };
}
