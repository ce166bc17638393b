import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { Command } from 'commander';
import { linesOf } from '../kernel/lines.js';
import type { RestoreOptions, RestoreReport } from '../kernel/log-restore.js';
import { readAnchor } from '../kernel/log-trail.js';
import { checkHost } from './catalog-client.js';
import { databaseHelp, withDatabase } from './database.command.js';
import { CliFault, exitCodes, printAnswer, withProgress } from './output.js';

interface Options {
  readonly host?: string;
  readonly anchor?: readonly string[];
  readonly json?: boolean;
}

/** Bytes of one event at most: a document of 32 MiB, each character of which is escaped. */
const MAX_LINE = 256 * 1024 * 1024;

const examples = `${databaseHelp}

The file is one that export wrote, whole. The chain is checked while it is read; the log and the tables that follow from it are
written in one transaction, read back and compared with what the file says that they were: all of it is seen, or nothing is,
also where this is interrupted, and then it is run again. The host keeps its id, and must have no log in this database.

A file that was cut off or altered is told, and so is one of another host with --host. That a whole log was not made up from end
to end, only an anchor from elsewhere tells: see verify.

What is not in the log, and so not here afterwards: secrets and keys, which are files; sessions and tokens; replies kept under
an Idempotency-Key; evaluation sets and their results; deliveries to webhooks that were under way; and what the service makes
by itself: documents of the search, their vectors, times of checks. Global categories and tags belong to the host of zeros,
whose log is restored first where they are used.

Exit code 5 where the file is not what was written.

Examples:
  $ portal-catalog export --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --out log.jsonl
  $ DATABASE_URL=postgresql://portal@new.example/portal portal-catalog restore log.jsonl --anchor "$(cat last-anchor.txt)"`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('take the log of a host, as export wrote it, into a database where the host has none')
    .argument('<file>', 'what export wrote')
    .option('--host <hostId>', 'the host that it must be of')
    .option('--anchor <anchor...>', 'what the log was earlier: hostId:position:hash')
    .option('--json', 'print {"hostId", "events", "end", "differing"}')
    .addHelpText('after', examples)
    .action(async (file: string, { host, anchor = [], json }: Options) => {
      if (host !== undefined) checkHost(host);
      const anchors = anchor.map(readAnchor);
      await access(file, constants.R_OK).catch((error: unknown) => {
        throw new CliFault(exitCodes.usage, `${file} can't be read: ${String(error)}`);
      });
      const lines = () => linesOf(createReadStream(file, { highWaterMark: 1 << 20 }), MAX_LINE);
      const report = await restored({ lines, hostId: host, anchors });
      printAnswer({ json }, JSON.stringify(report), () => described(report));
      const { differing = [] } = report;
      if (differing.length > 0) {
        throw new CliFault(
          exitCodes.failed,
          `The log is restored, and its tables are what follows from it. Where it was written, these held something else: ${differing.join(', ')}. Run rebuild there, export again, and compare.`,
        );
      }
    });
}

/** Loads every slice of the service, and brings the tables up to date. */
async function restored(options: Omit<RestoreOptions, 'onProgress'>): Promise<RestoreReport> {
  const { slices } = await import('../app.module.js');
  const { Domain } = await import('../kernel/domain.js');
  const { restoreLog } = await import('../kernel/log-restore.js');
  const { migrate } = await import('../kernel/migrations.js');
  return withDatabase((database) =>
    withProgress('Restoring', async (say) => {
      await migrate(database);
      return restoreLog(database, new Domain(slices), {
        ...options,
        onProgress: (events) => {
          say(`${events} events`);
        },
      });
    }),
  );
}

function described({ hostId, events, end, differing }: RestoreReport): string[] {
  return [
    `host ${hostId}: ${events} events, as they were written`,
    `  anchor ${hostId}:${end.position}:${end.hash}`,
    differing === undefined
      ? '  Its tables were made by another version there, and can’t be compared.'
      : `  ${differing.length === 0 ? 'Its tables hold what they held there.' : 'Its tables differ.'}`,
    '  Not in a log: secrets, keys, sessions, evaluations. See restore --help.',
  ];
}
