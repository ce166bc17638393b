import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Writable } from 'node:stream';
import { Command } from 'commander';
import type { ExportReport } from '../kernel/log-export.js';
import { CliFault, exitCodes, withProgress } from './output.js';
import { checkHost } from './catalog-client.js';
import { databaseHelp, withDatabase } from './database.command.js';

interface ExportOptions {
  readonly host: string;
  readonly after: string;
  readonly out?: string;
}

const examples = `${databaseHelp}

One event a line, as CloudEvents 1.0 with the hash chain, in the shape in which it was stored: enough to check the chain
by other means. Data that was erased is null. The last line, {"end": …}, says where the log ends, so that a file that was cut
off is told from a whole one; it is missing where the log is not what was written, and the exit code is 5 then. restore takes
the file into another database.

Examples:
  $ portal-catalog export --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --out log.jsonl
  $ portal-catalog export --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --after 1200 | jq -r '.type // empty' | sort | uniq -c`;

export function exportCommand(): Command {
  return new Command('export')
    .description('write the log of a host as JSON lines')
    .requiredOption('--host <hostId>', 'whose log')
    .option('--after <position>', 'only events behind this position', '0')
    .option('--out <file>', 'file to write (default: standard output); it must not exist yet')
    .addHelpText('after', examples)
    .action(async (options: ExportOptions) => {
      checkHost(options.host);
      const after = Number(options.after);
      if (!Number.isSafeInteger(after) || after < 0) {
        throw new CliFault(
          exitCodes.usage,
          `--after ${options.after} is no position: give a whole number from 0.`,
        );
      }
      const out = options.out === undefined ? process.stdout : await openNew(options.out);
      const { events, fault } = await written(options.host, after, out);
      if (options.out !== undefined) {
        out.end();
        await finished(out);
        process.stderr.write(`${events} events in ${options.out}\n`);
      }
      if (fault === undefined) return;
      const where = `${fault.finding} at position ${fault.position}`;
      throw new CliFault(
        exitCodes.altered,
        `The log is not what was written: ${where}: ${fault.detail} All that there is was exported, without an end: nothing restores it.`,
      );
    });
}

/** Loads every slice of the service, whose tables are compared after a restore. */
async function written(hostId: string, after: number, out: Writable): Promise<ExportReport> {
  const { slices } = await import('../app.module.js');
  const { Domain } = await import('../kernel/domain.js');
  const { exportLog } = await import('../kernel/log-export.js');
  const write = async (lines: string): Promise<void> => {
    if (!out.write(lines)) await once(out, 'drain');
  };
  return withDatabase((database) =>
    withProgress('Exporting', (say) =>
      exportLog(database, new Domain(slices), {
        ...{ hostId, after, write },
        onProgress: (events) => {
          say(`${events} events`);
        },
      }),
    ),
  );
}

async function openNew(file: string): Promise<Writable> {
  const out = createWriteStream(file, { flags: 'wx' });
  try {
    await once(out, 'open');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFault(exitCodes.usage, `${file} can't be written: ${reason}`);
  }
  return out;
}
