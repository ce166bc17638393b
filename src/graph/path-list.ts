/** All shortest paths that two searches found where they met, counted and cut into pages without being listed. Pure. */
import { keyOf, type Found, type Place } from './exploring.js';

/** Edges from the start to the end of a path, in order. */
export type Path = readonly Found[];

/** Of each node that was reached: the edges by which its level was reached from the one before. */
export type Ways = ReadonlyMap<string, readonly Found[]>;

/** A few thousand edges make millions of paths: only those of a page are ever made. */
export class PathList {
  private readonly starts = new Map<string, Place>();
  private readonly onward = new Map<string, Found[]>();
  private readonly counts = new Map<string, number>();

  /** @param ahead from the starts to the meeting; @param back from the ends */
  constructor(meeting: readonly Place[], ahead: Ways, back: Ways) {
    for (const place of gather(meeting, ahead, (edge) => {
      this.add(edge);
    })) {
      this.starts.set(keyOf(place), place);
    }
    gather(meeting, back, (edge) => {
      this.add(turned(edge));
    });
    for (const edges of this.onward.values()) edges.sort(byText(({ step, end }) => textOf(step, end)));
  }

  /** Ordered by start, then step by step by relationship and next node. */
  slice(offset: number, limit: number): Path[] {
    const taken: Path[] = [];
    let skipped = 0;
    const walk = (place: Place, path: Path): void => {
      if (taken.length === limit) return;
      const ahead = this.countFrom(place);
      if (skipped + ahead <= offset) {
        skipped += ahead;
        return;
      }
      const edges = this.onward.get(keyOf(place));
      if (edges === undefined) taken.push(path);
      for (const edge of edges ?? []) walk(edge.end, [...path, edge]);
    };
    for (const start of [...this.starts.values()].sort(byText(keyOf))) walk(start, []);
    return taken;
  }

  get length(): number {
    return [...this.starts.values()].reduce((sum, start) => sum + this.countFrom(start), 0);
  }

  private countFrom(place: Place): number {
    const key = keyOf(place);
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    const edges = this.onward.get(key);
    const count = edges === undefined ? 1 : edges.reduce((sum, { end }) => sum + this.countFrom(end), 0);
    this.counts.set(key, count);
    return count;
  }

  private add(edge: Found): void {
    const key = keyOf(edge.start);
    const edges = this.onward.get(key);
    if (edges === undefined) this.onward.set(key, [edge]);
    else edges.push(edge);
  }
}

/** Tells every edge that leads to these places once, and gives the places where the ways begin. */
function gather(places: readonly Place[], ways: Ways, tell: (edge: Found) => void): Place[] {
  const seen = new Set(places.map(keyOf));
  const open = [...places];
  const roots: Place[] = [];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const edges = ways.get(keyOf(place));
    if (edges === undefined) roots.push(place);
    for (const edge of edges ?? []) {
      tell(edge);
      if (seen.has(keyOf(edge.start))) continue;
      seen.add(keyOf(edge.start));
      open.push(edge.start);
    }
  }
  return roots;
}

function turned({ step, start, end }: Found): Found {
  const { link, forward } = step;
  return { step: { link, forward: !forward, start: step.end, end: step.start }, start: end, end: start };
}

/** A relationship that runs both ways between two nodes is two edges. */
function textOf({ link, forward }: Found['step'], end: Place): string {
  return `${link.type.name} ${keyOf(end)} ${forward}`;
}

function byText<T>(text: (each: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [left, right] = [text(a), text(b)];
    return left < right ? -1 : Number(left > right);
  };
}
