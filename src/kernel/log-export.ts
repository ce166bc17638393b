import type { Domain } from './domain.js';
import { GENESIS_HASH } from './envelope.js';
import { EventStore, readStored } from './event-store.js';
import { endLine, lineOf, type LogEnd } from './log-file.js';
import { walk, type LogFault, type Trail } from './log-trail.js';
import { digestRows } from './row-digests.js';
import type { Database, Sql } from './sql.js';

export interface ExportOptions {
  readonly hostId: string;
  /** Only events behind this position: a part, which can't be restored. */
  readonly after: number;
  /** Takes lines; resolves when it can take more. */
  readonly write: (lines: string) => Promise<void>;
  readonly onProgress: (events: number) => void;
}

export interface ExportReport {
  readonly events: number;
  readonly end: LogEnd;
  /** Where the log is not what was written. All lines are there, but for the last: nothing restores it. */
  readonly fault: LogFault | undefined;
}

/** Events of one read, few enough to let others at the database. */
const STEP = { events: 500, bytes: 4_000_000 } as const;

/** Writes the log of a host as a file, as it was when this began, and checks it while it does. */
export async function exportLog(
  database: Database,
  domain: Domain,
  { hostId, after, write, onProgress }: ExportOptions,
): Promise<ExportReport> {
  const sql = database.of(hostId);
  const end = await endOf(database, domain, hostId, after > 0);
  const trail = await trailAt(sql, hostId, after);
  let fault: LogFault | undefined;
  for (let position = after; position < end.position;) {
    const stored = await readStored(sql, hostId, position, STEP);
    const events = stored.filter((event) => event.position <= end.position);
    const last = events.at(-1);
    if (last === undefined) break;
    for (const event of events) fault ??= walk(trail, event, new Map());
    await write(events.map(lineOf).join(''));
    position = last.position;
    onProgress(position - after);
  }
  if (after < end.position) fault ??= endFault(trail, end);
  if (fault === undefined) await write(endLine(end));
  return { events: Math.max(trail.position - after, 0), end, fault };
}

/** Where the log ends now, and what the tables hold that are written with it. */
function endOf(database: Database, domain: Domain, hostId: string, isPart: boolean): Promise<LogEnd> {
  const tables = domain.projections.flatMap((projection) => projection.tables);
  return database.of(hostId).transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    const { position, time, hash } = await new EventStore(tx, domain.types).head(hostId);
    const rows = isPart ? null : await digestRows(tx, tables);
    return { host: hostId, position, time: time === '' ? null : time, hash, rows };
  });
}

async function trailAt(sql: Sql, hostId: string, after: number): Promise<Trail> {
  if (after === 0) return { position: 0, hash: GENESIS_HASH };
  const [event] = await readStored(sql, hostId, after - 1, { events: 1, bytes: 1 });
  return { position: after, hash: event?.hash ?? '' };
}

function endFault(trail: Trail, { position, hash }: LogEnd): LogFault | undefined {
  if (trail.position === position && trail.hash === hash) return undefined;
  const detail = `The head of the host names position ${String(position)} with another hash, or events before it are missing.`;
  return { position: trail.position, finding: 'altered', detail };
}
