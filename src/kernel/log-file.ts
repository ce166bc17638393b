/** The file of a host's log: one event a line in the order of the log, and a last line that says where the log ends. Pure. */
import { canonicalJson } from './canonical-json.js';
import { envelopeOf, type StoredEvent } from './envelope.js';
import type { RowDigests } from './row-digests.js';

/** Names the format in the last line. */
const FORMAT = 'portal-catalog-log/1';

/** The last line: without it a file is cut off. */
export interface LogEnd {
  readonly host: string;
  readonly position: number;
  /** Of the last event; null where the log is empty. */
  readonly time: string | null;
  readonly hash: string;
  /** What the tables of the host held at that position; null where only a part of the log was written. */
  readonly rows: RowDigests | null;
}

/** A file that is not the log of a host as it was written; says where and why. */
export class LogFileFault extends Error {}

/** An event as CloudEvents 1.0 with the chain, in the shape in which it is stored. */
export function lineOf(event: StoredEvent): string {
  return `${JSON.stringify(shownOf(event))}\n`;
}

export function endLine(end: LogEnd): string {
  return `${JSON.stringify({ end: { format: FORMAT, ...end } })}\n`;
}

/**
 * Reads a line. That the event is what was written, the chain tells: see `walk`.
 *
 * @param number of the line, from 1
 * @throws LogFileFault where it is neither an event nor an end
 */
export function readLine(text: string, number: number): { event: StoredEvent } | { end: LogEnd } {
  const value = objectIn(text, number);
  if ('end' in value) return { end: endIn(value['end'], number) };
  const event = storedIn(value);
  if (event !== undefined && canonicalJson(shownOf(event)) === canonicalJson(value)) return { event };
  throw new LogFileFault(`Line ${String(number)} is no event of a log, or not as it was written.`);
}

type Members = Readonly<Record<string, unknown>>;

function objectIn(text: string, number: number): Members {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Members;
  } catch {
    // Told below.
  }
  const where = `Line ${String(number)}`;
  throw new LogFileFault(`${where} is no JSON object: the file is cut off there, or no log of a host.`);
}

function shownOf(event: StoredEvent): object {
  const { position, time, hash, data } = event;
  return {
    ...envelopeOf(event),
    ...{ position, time, hash },
    data: data === null ? null : (JSON.parse(data) as object),
  };
}

const texts = [
  ...['host', 'id', 'type', 'dataschema', 'aggregatetype', 'aggregateid', 'user', 'source'],
  ...['correlationid', 'time', 'datadigest', 'hash'],
] as const;

/** Undefined where a member is missing or of another type. */
function storedIn(value: Members): StoredEvent | undefined {
  const { clientid = null, causationid = null, position, aggregateversion, data } = value;
  const isWhole =
    texts.every((name) => typeof value[name] === 'string') &&
    [clientid, causationid].every((each) => each === null || typeof each === 'string') &&
    [position, aggregateversion].every((each) => Number.isSafeInteger(each)) &&
    typeof data === 'object';
  if (!isWhole) return undefined;
  const text = value as Readonly<Record<(typeof texts)[number], string>>;
  return {
    ...{ host_id: text.host, position: position as number, id: text.id, event_type: text.type },
    schema_version: Number(/:(\d{1,9})$/.exec(text.dataschema)?.[1] ?? 0),
    ...{ aggregate_type: text.aggregatetype, aggregate_id: text.aggregateid },
    ...{ aggregate_version: aggregateversion as number, user_id: text.user },
    ...{ client_id: clientid as string | null, source: text.source },
    ...{ correlation_id: text.correlationid, causation_id: causationid as string | null },
    ...{ time: text.time, data: data === null ? null : canonicalJson(data) },
    ...{ data_digest: text.datadigest, hash: text.hash },
  };
}

function endIn(value: unknown, number: number): LogEnd {
  const end = (typeof value === 'object' && value !== null ? value : {}) as Partial<LogEnd> & {
    readonly format?: unknown;
  };
  const { host, position, time = null, hash, rows = null } = end;
  if (end.format !== FORMAT)
    throw new LogFileFault(`Line ${String(number)} ends a file of another format than ${FORMAT}.`);
  if (typeof host !== 'string' || typeof hash !== 'string' || !Number.isSafeInteger(position))
    throw new LogFileFault(`Line ${String(number)} does not say where the log ends.`);
  return { host, position: position as number, time, hash, rows };
}
