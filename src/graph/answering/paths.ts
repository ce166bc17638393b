/** Finds the shortest paths between two sets of nodes, from both sides. Pure but for `run`. */
import { graphAnswer, edgeOf, Gathered, paginationOf } from './answer.js';
import type { GraphAnswer } from './response-format.js';
import { offsetOf, writeCursor } from '../sql/cursor.js';
import {
  describe,
  expand,
  type Exploration,
  found,
  type Found,
  keyOf,
  type Place,
  type Run,
  selectedBy,
  shownColumns,
} from './exploring.js';
import type { GraphScope } from '../graph-scopes.service.js';
import type { PathFinding } from '../reading/query.ast.js';

/** One side of the search: the nodes that it has reached, and the edges that led to them. */
interface Side {
  readonly depths: Map<string, number>;
  readonly ways: Map<string, Found[]>;
  frontier: readonly Place[];
  depth: number;
}

/** Rows are paths; where nodes are in both sets, these nodes. Throws Invalid where the search would be too wide. */
export async function pathsOf(query: PathFinding, scope: GraphScope, run: Run): Promise<GraphAnswer> {
  const exploration: Exploration = { run, scope, direction: 'both', types: query.types };
  const { limit } = query;
  const starts = await selectedBy(query.from, exploration, { pointer: '/path/from', limit });
  const ends = await selectedBy(query.to, exploration, { pointer: '/path/to', limit });
  const { paths, met } = await shortest(starts, ends, query, exploration);
  const offset = offsetOf(query);
  const page = paths.slice(offset, limit);
  const pageMet = met.slice(offset, offset + limit);
  const end = offset + page.length + pageMet.length;
  const next = paths.length + met.length > end ? writeCursor(query.digest, [end]) : undefined;
  const gathered = new Gathered();
  const walked = page.flatMap((path) => path.flatMap((edge) => [edge.start, edge.end]));
  const places = new Map([...pageMet, ...walked].map((place) => [keyOf(place), place]));
  const named = [...starts, ...ends].filter((place) => places.has(keyOf(place)));
  for (const place of named) places.delete(keyOf(place));
  const passed = [...places.values()].map((place) => ({
    ...place,
    columns: shownColumns(place.type, query.allColumns),
  }));
  await describe([...named, ...passed], exploration, gathered);
  page.forEach((path, number) => {
    path.forEach(({ step, start, end: other }, place) => {
      gathered.edge({ ...edgeOf(step, start.id, other.id), path_id: offset + number, step: place });
    });
  });
  const total = { count: paths.length + met.length, isExact: true };
  return graphAnswer(query, gathered, paginationOf(page.length + pageMet.length, total, next));
}

/** Finds all paths of the least length; `met` are nodes in both sets. */
async function shortest(
  starts: readonly Place[],
  ends: readonly Place[],
  { maxDepth, findable }: PathFinding,
  exploration: Exploration,
): Promise<{ readonly paths: PathList; readonly met: readonly Place[] }> {
  const [ahead, back] = [sideOf(starts), sideOf(ends)];
  const met = starts.filter((place) => back.depths.has(keyOf(place)));
  const none = { paths: new PathList([], ahead.ways, back.ways), met };
  if (met.length > 0) return none;
  while (ahead.depth + back.depth < maxDepth) {
    const [side, other] = ahead.frontier.length <= back.frontier.length ? [ahead, back] : [back, ahead];
    if (side.frontier.length === 0) break;
    await widen(side, exploration, (places) => between(places, other, findable, exploration));
    const meeting = side.frontier.filter((place) => {
      const [a, b] = [ahead.depths.get(keyOf(place)), back.depths.get(keyOf(place))];
      return a === ahead.depth && b === back.depth;
    });
    if (meeting.length > 0) return { paths: new PathList(meeting, ahead.ways, back.ways), met };
  }
  return none;
}

function sideOf(places: readonly Place[]): Side {
  return {
    depths: new Map(places.map((place) => [keyOf(place), 0])),
    ways: new Map(),
    frontier: places,
    depth: 0,
  };
}

/** Keeps places that a path may go on from: those that may lie between, and ends of the other side. */
async function between(
  places: readonly Place[],
  { depths }: Side,
  findable: PathFinding['findable'],
  exploration: Exploration,
): Promise<Place[]> {
  const ends = places.filter((place) => depths.get(keyOf(place)) === 0);
  return [...ends, ...(await found(places, findable, exploration))];
}

async function widen(
  side: Side,
  exploration: Exploration,
  passable: (places: readonly Place[]) => Promise<readonly Place[]>,
): Promise<void> {
  const all = await expand(side.frontier, exploration);
  const reached = new Map(all.map(({ end }) => [keyOf(end), end]));
  const open = new Set((await passable([...reached.values()])).map(keyOf));
  const edges = all.filter(({ end }) => open.has(keyOf(end)));
  side.depth += 1;
  const fresh = new Map<string, Place>();
  for (const edge of edges) {
    const key = keyOf(edge.end);
    if (side.depths.has(key) && !fresh.has(key)) continue;
    side.depths.set(key, side.depth);
    fresh.set(key, edge.end);
    const ways = side.ways.get(key);
    if (ways === undefined) side.ways.set(key, [edge]);
    else ways.push(edge);
  }
  side.frontier = [...fresh.values()];
}

/** Edges of a path, in order. */
type Path = readonly Found[];

/** The edges by which each node was reached. */
type Ways = ReadonlyMap<string, readonly Found[]>;

/** Counts paths, and makes those of one page: a few thousand edges can make millions of paths. */
class PathList {
  private readonly starts = new Map<string, Place>();
  private readonly onward = new Map<string, Found[]>();
  private readonly counts = new Map<string, number>();

  /**
   * @param ahead ways from the starts to the meeting
   * @param back ways from the ends
   */
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

  /** Paths by start, then step by step by relationship and next node. */
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

/** Reports each edge that leads to these places once, and returns the places where the ways begin. */
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

/** Text of an edge for the order; both directions differ. */
function textOf({ link, forward }: Found['step'], end: Place): string {
  return `${link.type.name} ${keyOf(end)} ${forward}`;
}

function byText<T>(text: (each: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [left, right] = [text(a), text(b)];
    return left < right ? -1 : Number(left > right);
  };
}
