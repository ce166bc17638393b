import { Command } from 'commander';
import { migrate } from '../eventsourcing/migrations.js';
import { printAnswer } from './answer.js';
import { databaseHelp, withDatabase } from './open-catalog.js';
import { withProgress } from './progress.js';

const examples = `${databaseHelp}
The service does the same at every start; this is for those who migrate as a step of its own.

Example:
  $ DATABASE_URL=postgresql://portal@db.example/portal portal-catalog migrate`;

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the tables up to date; safe to run again, and by several at once')
    .option('--json', 'print {"applied": [name]}')
    .addHelpText('after', examples)
    .action(async ({ json }: { readonly json?: boolean }) => {
      const applied = await withProgress('Migrating', () => withDatabase(migrate));
      const lines = applied.length === 0 ? ['Nothing to do: the tables are up to date.'] : applied;
      printAnswer(json, JSON.stringify({ applied }), () => lines);
    });
}
