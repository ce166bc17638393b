import type { Outcome, Reply, Write } from './command.js';
import type { Decided, Decision } from './decision.js';
import type { DraftedRows } from './drafted-rows.js';
import type { RecordedEvent } from './event.js';
import { keepReply } from './kept-replies.js';
import type { LogEnd } from './log-ends.js';
import { appendAndProject, appendEach, headOf, type WritePlace } from './log-writing.js';
import { project } from './project.js';
import type { Sql } from './sql.js';

/** Milliseconds: a time that took the database longer to tell is too old to tell later ones by. */
const SOON = 100;

/** A write whose events are known; all that is left is to bring them into the log. */
export interface DecidedWrite {
  readonly write: Write;
  readonly decision: Decision;
  readonly decided: readonly Decided[];
  /** Where the events are many. */
  readonly drafted?: DraftedRows | undefined;
}

/** What a write has left behind. */
export interface Written {
  readonly reply: Reply;
  /** Where the log ended with the events of the write; `at`: a moment at which that was surely its end. */
  readonly end?: LogEnd & { readonly at: number };
}

/** Appends the events of the write, projects them and keeps the reply, in the transaction given. */
export async function finish(place: WritePlace, work: DecidedWrite): Promise<Written> {
  const at = performance.now();
  const { write, decision, drafted } = work;
  const appended = await appendAndProject(place, write.context.hostId, decision.events, drafted);
  return ending(place, work, appended, at);
}

/** The same for several writes of one host, one after the other, with one statement for their rows. */
export async function finishTogether(
  place: WritePlace,
  hostId: string,
  works: readonly DecidedWrite[],
): Promise<readonly Written[]> {
  const at = performance.now();
  const writes = works.map(({ decision }) => decision.events);
  const appended = await appendEach(place, hostId, writes);
  await project(place.tx, place.domain, appended.flat());
  return Promise.all(works.map((work, index) => ending(place, work, appended[index] ?? [], at)));
}

async function ending(
  { tx, foreseen }: WritePlace,
  { write, decision, decided }: DecidedWrite,
  appended: readonly RecordedEvent[],
  at: number,
): Promise<Written> {
  const now = performance.now();
  const told = foreseen === undefined && now - at <= SOON ? now : undefined;
  const { hostId, idempotency } = write.context;
  const outcomes = decision.outcomesOf(decided, appended);
  const head = headOf(appended);
  // What a dry write would append is nowhere: the log ends before it.
  const position =
    write.dry === true && appended[0] !== undefined ? appended[0].position - 1 : head?.position;
  const reply = write.reply(outcomes, position ?? (await standOf(tx, hostId, outcomes)));
  if (idempotency !== undefined) await keepReply(tx, hostId, idempotency, reply);
  return head === undefined ? { reply } : { reply, end: { head, events: appended, told, at } };
}

/** Position that a write answers which changed nothing: of what it looked at, else the end of the log. */
async function standOf(tx: Sql, hostId: string, outcomes: readonly Outcome[]): Promise<number> {
  if (outcomes.length > 0) return Math.max(...outcomes.map(({ position }) => position));
  const [head] = await tx.query<{ position: number }>('SELECT position FROM host_head_t WHERE host_id = $1', [
    hostId,
  ]);
  return head?.position ?? 0;
}
