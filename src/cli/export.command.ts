import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Writable } from 'node:stream';
import { Command } from 'commander';
import { readStored } from '../kernel/event-store.js';
import type { Sql } from '../kernel/sql.js';
import { envelopeOf, type StoredEvent } from '../kernel/envelope.js';
import { CliFault, exitCodes, withProgress } from './output.js';
import { checkHost } from './catalog-client.js';
import { databaseHelp, withDatabase } from './database.command.js';

interface ExportOptions {
  readonly host: string;
  readonly after: string;
  readonly out?: string;
}

/** Events of one read, few enough to let others at the database. */
const step = { events: 500, bytes: 4_000_000 } as const;

const examples = `${databaseHelp}

One event a line, as CloudEvents 1.0 with the hash chain, in the shape in which it was stored: enough to check the chain
by other means. Data that was erased is null.

Examples:
  $ portal-catalog export --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --out log.jsonl
  $ portal-catalog export --host 0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01 --after 1200 | jq -r .type | sort | uniq -c`;

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
      const count = await withProgress('Exporting', (say) =>
        withDatabase((database) =>
          exportLog(database.of(options.host), { hostId: options.host, after, out, say }),
        ),
      );
      if (options.out !== undefined) {
        out.end();
        await finished(out);
        process.stderr.write(`${count} events in ${options.out}\n`);
      }
    });
}

interface LogExport {
  readonly hostId: string;
  readonly after: number;
  readonly out: Writable;
  readonly say: (state: string) => void;
}

async function exportLog(sql: Sql, { hostId, after, out, say }: LogExport): Promise<number> {
  let count = 0;
  for (let position = after; ;) {
    const events = await readStored(sql, hostId, position, step);
    const last = events.at(-1);
    if (last === undefined) return count;
    const lines = events.map((event) => `${JSON.stringify(lineOf(event))}\n`).join('');
    if (!out.write(lines)) await once(out, 'drain');
    count += events.length;
    position = last.position;
    say(`${count} events`);
  }
}

function lineOf(event: StoredEvent): object {
  const { position, time, hash, data } = event;
  return {
    ...envelopeOf(event),
    position,
    time,
    hash,
    data: data === null ? null : (JSON.parse(data) as object),
  };
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
