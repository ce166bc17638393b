import { type Config, readConfig } from '../platform/config/config.js';
import type { OpenDatabase } from '../platform/database/open-database.js';
import { CliFault, exitCodes, printAnswer, withProgress } from './output.js';
import { Command } from 'commander';
import { migrate } from '../kernel/migrations.js';
import type { RebuildReport } from '../kernel/rebuild.js';
import { type HostVerdict, LogVerifier } from '../kernel/log-verifier.js';
import { checkHost } from './catalog-client.js';

/** Help of commands that open the database themselves. */
export const databaseHelp = `
The database is opened directly: the one of DATABASE_URL, else the embedded one in DATA_DIR. The embedded one serves a
single process: stop the service first.`;

/** Runs `work` on the database of the environment, and closes it. */
export async function withDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await open(readConfig());
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Loads the drivers here, so that commands without a database start at once. */
async function open({ databaseUrl, databasePoolSize, dataDirectory }: Config): Promise<OpenDatabase> {
  const { connectEmbedded, connectServer } = await import('../platform/database/open-database.js');
  if (databaseUrl !== undefined) return connectServer(databaseUrl, databasePoolSize).catch(unreachable);
  const { openEmbedded } = await import('../platform/database/embedded.js');
  return connectEmbedded(await openEmbedded(dataDirectory));
}

function unreachable(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new CliFault(exitCodes.unreachable, `The database of DATABASE_URL could not be opened: ${reason}`);
}

const migrateExamples = `${databaseHelp}
The service does the same at every start; this is for those who migrate as a step of its own.

Example:
  $ DATABASE_URL=postgresql://portal@db.example/portal portal-catalog migrate`;

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the tables up to date; safe to run again, and by several at once')
    .option('--json', 'print {"applied": [name]}')
    .addHelpText('after', migrateExamples)
    .action(async ({ json }: { readonly json?: boolean }) => {
      const applied = await withProgress('Migrating', () => withDatabase(migrate));
      const lines = applied.length === 0 ? ['Nothing to do: the tables are up to date.'] : applied;
      printAnswer({ json }, JSON.stringify({ applied }), () => lines);
    });
}

const rebuildExamples = `${databaseHelp}

The tables are made beside the live ones, catch up while writes go on, and are switched. On PostgreSQL the service keeps
running; reads and writes wait at most 250 ms. What the tables say is the same afterwards. A host whose log holds an event
that only a newer version knows keeps the rows that it has, and the exit code is 1.

Example:
  $ DATABASE_URL=postgresql://portal@db.example/portal portal-catalog rebuild`;

export function rebuildCommand(): Command {
  return new Command('rebuild')
    .description('make every table but the log anew, from the log')
    .option('--json', 'print {"events", "seconds", "switchMilliseconds", "kept"}')
    .addHelpText('after', rebuildExamples)
    .action(async ({ json }: { readonly json?: boolean }) => {
      const report = await rebuild();
      const { events, seconds, switchMilliseconds, kept } = report;
      printAnswer({ json }, JSON.stringify(report), () => [
        `${events} events in ${seconds.toFixed(1)} s; writes waited ${switchMilliseconds.toFixed(0)} ms.`,
        ...kept.map(({ hostId, detail }) => `host ${hostId} keeps the rows that it had. ${detail}`),
      ]);
      if (kept.length > 0) {
        const hosts = kept.map(({ hostId }) => hostId).join(', ');
        throw new CliFault(
          exitCodes.failed,
          `Not rebuilt: ${hosts}. Rebuild with the version of the service that wrote it.`,
        );
      }
    });
}

/** Loads every slice of the service, which other commands don't need. */
async function rebuild(): Promise<RebuildReport> {
  const { slices } = await import('../app.module.js');
  const { Domain } = await import('../kernel/domain.js');
  const { Rebuild } = await import('../kernel/rebuild.js');
  // Opens the database before it reports progress.
  return withDatabase((database) =>
    withProgress('Rebuilding', (say) =>
      new Rebuild(database, new Domain(slices)).run(({ phase, events, total }) => {
        say(`${phase}, ${events} of ${total} events`);
      }),
    ),
  );
}

interface VerifyOptions {
  readonly host?: string;
  readonly anchor?: readonly string[];
  readonly json?: boolean;
}

const verifyExamples = `${databaseHelp}

An anchor is hostId:position:hash of a log's last event. Keep it elsewhere: with it, a log that was rewritten from end to
end is still found. Exit code 5 where a log is not what was written.

Examples:
  $ portal-catalog verify
  $ portal-catalog verify --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --anchor "$(cat last-anchor.txt)"`;

export function verifyCommand(): Command {
  return new Command('verify')
    .description('check that the logs are what was written: nothing added, altered, removed or reordered')
    .option('--host <hostId>', 'only this host’s log')
    .option('--anchor <anchor...>', 'what the log was earlier: hostId:position:hash')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', verifyExamples)
    .action(async ({ host, anchor = [], json }: VerifyOptions) => {
      if (host !== undefined) checkHost(host);
      const verdicts = await withProgress('Verifying', (say) =>
        withDatabase((database) =>
          new LogVerifier(database).verify({
            hostId: host,
            anchors: anchor,
            onProgress: (hostId, events) => {
              say(`${hostId}: ${events} events`);
            },
          }),
        ),
      );
      printAnswer({ json }, JSON.stringify({ hosts: verdicts }), () =>
        verdicts.length === 0 ? [noLog] : verdicts.flatMap(verifyLines),
      );
      const faulty = verdicts.filter(({ fault }) => fault !== undefined);
      if (faulty.length > 0) {
        const hosts = faulty.map(({ hostId }) => hostId).join(', ');
        throw new CliFault(exitCodes.altered, `Not what was written: the log of ${hosts}.`);
      }
    });
}

const noLog =
  'There is no log to verify: nothing was written yet to this database. DATABASE_URL or DATA_DIR names another.';

function verifyLines({ hostId, events, fault, erased, anchor }: HostVerdict): string[] {
  return [
    `host ${hostId}: ${events} events ${fault === undefined ? 'as they were written' : 'before the fault'}`,
    ...(fault === undefined ? [] : [`  ${fault.finding} at position ${fault.position}: ${fault.detail}`]),
    ...erased.map((event) => `  data erased at position ${event.position}: ${event.event_type} ${event.id}`),
    `  anchor ${anchor}`,
  ];
}
