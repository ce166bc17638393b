import { LRUCache } from 'lru-cache';

/** Hosts that are behind at the same time, beyond which documents may be made twice. */
const MAX_HOSTS = 20;

interface HostMade {
  /** Position of the last event that was begun with or taken in. */
  upTo: number;
  /** By kind and id: the head of the log when its rows were read. */
  readonly heads: Map<string, number>;
}

/**
 * Which documents were made from rows that hold later events already: an import appends an endpoint and its tool far apart, and the
 * tool's document is made of both the first time. Where the log is followed anew all are made again.
 */
export class MadeAhead {
  private readonly hosts = new LRUCache<string, HostMade>({ max: MAX_HOSTS });

  /** Takes events from `first` on; forgets what it knew where they were taken before: that may have been undone. */
  begin(hostId: string, first: number): void {
    const known = this.hosts.get(hostId);
    if (known !== undefined && first > known.upTo) known.upTo = first;
    else this.hosts.set(hostId, { upTo: first, heads: new Map() });
  }

  /** Those of the records whose rows were last read before the event at this position. */
  due(hostId: string, kind: string, ids: readonly string[], position: number): readonly string[] {
    const heads = this.hosts.get(hostId)?.heads;
    return ids.filter((id) => (heads?.get(`${kind} ${id}`) ?? 0) < position);
  }

  /** @param head of the log, read before the rows of the records */
  made(hostId: string, kind: string, ids: readonly string[], head: number): void {
    const heads = this.hosts.get(hostId)?.heads;
    for (const id of ids) heads?.set(`${kind} ${id}`, head);
  }

  /** The events up to `last` are taken in; with the head nothing is ahead any more. */
  end(hostId: string, last: number, head: number): void {
    const known = this.hosts.get(hostId);
    if (known === undefined) return;
    known.upTo = last;
    if (last >= head) known.heads.clear();
  }
}
