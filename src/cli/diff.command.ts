import { Command } from 'commander';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { catalogChanges, type ComparedCatalog } from './catalog-changes.js';
import { questionOf } from './catalog.command.js';
import { exampleHelp, parsedAnswer, printAnswer } from './output.js';

interface DiffOptions extends ConnectionOptions {
  readonly from: string;
  readonly to?: string;
  readonly service?: string;
  readonly env?: string;
}

/** What an agent is given now and was not, or at two times: `diff`. */
export function diffCommand(): Command {
  const command = new Command('diff')
    .description('what has changed in an agent’s catalog between two times (needs catalog:admin)')
    .argument('<agent>', 'id or name of the agent')
    .requiredOption('--from <time>', 'position in the log, or time (RFC 3339)')
    .option('--to <time>', 'position or time (default: now)')
    .option('--service <serviceId>', 'service that the agent is registered for')
    .option('--env <tag>', 'environment')
    .addHelpText(
      'after',
      exampleHelp('diff account-agent --from 2026-07-01T00:00:00Z', 'diff account-agent --from 120 --to 180'),
    );
  return connectionOptions(command).action(async (agent: string, options: DiffOptions) => {
    const client = new CatalogClient(options);
    const { agent: id, serviceId, envTag } = await questionOf(client, { ...options, agent });
    const at = async (asOf: string | undefined): Promise<ComparedCatalog> => {
      const query = new URLSearchParams({ serviceId, envTag, ...(asOf !== undefined && { asOf }) });
      const path = `/agents/${encodeURIComponent(id)}/effective-catalog?${query.toString()}`;
      return parsedAnswer(await client.request('GET', path)) as ComparedCatalog;
    };
    const [before, after] = [await at(options.from), await at(options.to)];
    const changes = catalogChanges(before, after);
    const answer = { from: before.catalogVersion, to: after.catalogVersion, changes };
    printAnswer(options, JSON.stringify(answer), () =>
      changes.length === 0 ? ['Nothing has changed.'] : changes,
    );
  });
}
