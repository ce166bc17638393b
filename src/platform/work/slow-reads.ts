import { sqlState, type Database, type Sql } from '../../kernel/sql.js';
import { Problem } from '../http/problem.js';
import { type Asker, Turns } from './turns.js';

/** How many of one caller may wait for each that may run. */
const waitingPerTurn = 16;

/**
 * Lets few reads that may take long go to the database at once. The other connections are left to catalogs, lists and
 * writes.
 */
export class SlowReads {
  private readonly turns: Turns;

  /**
   * @param inAll how many may run at once; one host gets three quarters of them, one caller half
   * @param patience milliseconds that one may wait for its turn
   * @param clock milliseconds
   */
  constructor(inAll: number, patience = 5_000, clock = () => performance.now()) {
    const ofCaller = Math.ceil(inAll / 2);
    const most = { inAll, ofHost: Math.ceil(inAll * 0.75), ofCaller, waiting: ofCaller * waitingPerTurn };
    this.turns = new Turns({ ...most, patience, busy }, clock);
  }

  /** Whether work of the caller would begin at once. */
  hasRoom(caller: Asker): boolean {
    return this.turns.hasRoom(caller);
  }

  /**
   * Runs the work when it is the caller's turn. It must not ask for another turn meanwhile: all might wait for each other.
   *
   * @throws Problem 429 `reads_busy` where too many of the caller's wait, or the turn does not come in time
   */
  run<T>(caller: Asker, work: () => Promise<T>): Promise<T> {
    return this.turns.run(caller, work);
  }
}

function busy(): Problem {
  return new Problem(
    429,
    'reads_busy',
    'Too many slow reads of this caller or host are under way. Send fewer at once, and try again.',
    { headers: { 'retry-after': '2' } },
  );
}

/** SQLSTATE of a statement that PostgreSQL ended when its time was over. */
const ENDED = '57014';

/** How long reads may take together, and what is thrown beyond that. */
interface Timed {
  /** Milliseconds. The embedded database ends no statement: there the next one is refused. */
  readonly most: number;
  readonly tooSlow: () => Error;
}

/** Statements on a host's rows that have so many milliseconds together. */
export function timedSql(database: Database, hostId: string, most: number, tooSlow: () => Error): Sql {
  return timed({ most, tooSlow }, (left) => database.of(hostId, left));
}

/**
 * The same in one transaction, so that they wait once for their connection: the embedded database has only one. What runs must not ask
 * for another.
 */
export function timedTransaction<T>(
  database: Database,
  hostId: string,
  limits: Timed,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  return database.of(hostId, limits.most).transaction((tx) => work(timed(limits, () => tx)));
}

/** @param way to the rows, of so many milliseconds that are left */
function timed({ most, tooSlow }: Timed, way: (left: number) => Sql): Sql {
  let left = most;
  return {
    query: async (...statement) => {
      if (left <= 0) throw tooSlow();
      const sent = performance.now();
      try {
        return await way(left).query(...statement);
      } catch (error) {
        throw sqlState(error) === ENDED ? tooSlow() : error;
      } finally {
        left -= performance.now() - sent;
      }
    },
  };
}
