import { Command } from 'commander';
import type { RebuildReport } from '../eventsourcing/rebuild.js';
import { printAnswer } from './answer.js';
import { CliFault, exitCodes } from './cli-fault.js';
import { databaseHelp, withDatabase } from './open-catalog.js';
import { withProgress } from './progress.js';

const examples = `${databaseHelp}

The tables are made beside the live ones, catch up while writes go on, and are switched. On PostgreSQL the service keeps
running; reads and writes wait at most 250 ms. What the tables say is the same afterwards. A host whose log holds an event
that only a newer version knows keeps the rows that it has, and the exit code is 1.

Example:
  $ DATABASE_URL=postgresql://portal@db.example/portal portal-catalog rebuild`;

export function rebuildCommand(): Command {
  return new Command('rebuild')
    .description('make every table but the log anew, from the log')
    .option('--json', 'print {"events", "seconds", "switchMilliseconds", "kept"}')
    .addHelpText('after', examples)
    .action(async ({ json }: { readonly json?: boolean }) => {
      const report = await rebuild();
      const { events, seconds, switchMilliseconds, kept } = report;
      printAnswer(json, JSON.stringify(report), () => [
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

/** Needs every slice of the service, which other commands need not wait for. */
async function rebuild(): Promise<RebuildReport> {
  const { slices } = await import('../app.module.js');
  const { Domain } = await import('../eventsourcing/domain.js');
  const { Rebuild } = await import('../eventsourcing/rebuild.js');
  // A database that can't be opened is said first: nothing is being rebuilt then.
  return withDatabase((database) =>
    withProgress('Rebuilding', (say) =>
      new Rebuild(database, new Domain(slices)).run(({ phase, events, total }) => {
        say(`${phase}, ${events} of ${total} events`);
      }),
    ),
  );
}
