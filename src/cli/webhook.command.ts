import { Command, Option } from 'commander';
import { exampleHelp, printAnswer } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { pathOf } from './named-record.js';
import { aboutOf, addNoun } from './noun.command.js';
import { nouns } from './nouns.js';

interface Delivery {
  readonly deliveryId: string;
  readonly state: string;
  readonly attempts: number;
  readonly lastError?: string | null;
}

const overview = `
Webhooks notify clients that the catalog has changed; they then read it anew. With --kinds review-wanted they notify reviewers
that a version of a tool waits for them. A notification that was not taken after many attempts is a dead letter: it is kept for
thirty days, and can be delivered again.

Examples:
    $ portal-catalog webhook list
    $ portal-catalog webhook deliveries 0192f0c4-… --state dead
    $ portal-catalog webhook replay 0192f0c4-…

All of them need a token with catalog:admin.`;

export function webhookCommand(): Command {
  const command = new Command('webhook')
    .description(`${aboutOf('webhook')}; see what could not be delivered, and deliver it again`)
    .addHelpText('after', overview);
  for (const inner of [deliveries(), replaying()]) command.addCommand(inner);
  return addNoun(command, 'webhook');
}

function deliveries(): Command {
  const command = new Command('deliveries')
    .description('list what is to be delivered, and what was given up')
    .argument('<webhook>', 'its id or its address')
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'dead']))
    .addHelpText('after', exampleHelp('webhook deliveries 0192f0c4-… --state dead'));
  return connectionOptions(command).action(
    async (webhook: string, options: ConnectionOptions & { readonly state?: string }) => {
      const query = new URLSearchParams({ limit: '500' });
      if (options.state !== undefined) query.set('state', options.state);
      const client = new CatalogClient(options);
      const path = `${await pathOf(client, nouns.webhook, webhook)}/deliveries?${query.toString()}`;
      const answer = await client.request('GET', path);
      printAnswer(options, answer, (text) =>
        (JSON.parse(text) as { readonly items: readonly Delivery[] }).items.map(
          ({ deliveryId, state, attempts, lastError }) =>
            `${deliveryId}  ${state} after ${String(attempts)} attempts  ${lastError ?? ''}`,
        ),
      );
    },
  );
}

function replaying(): Command {
  const command = new Command('replay')
    .description('deliver dead letters again')
    .argument('<webhook>', 'its id or its address')
    .option('--delivery <deliveryId>', 'only this one (default: all of them)')
    .addHelpText(
      'after',
      exampleHelp('webhook replay 0192f0c4-…', 'webhook replay 0192f0c4-… --delivery 0192f0c5-…'),
    );
  return connectionOptions(command).action(
    async (webhook: string, options: ConnectionOptions & { readonly delivery?: string }) => {
      const one = options.delivery === undefined ? '' : `/deliveries/${encodeURIComponent(options.delivery)}`;
      const client = new CatalogClient(options);
      const path = `${await pathOf(client, nouns.webhook, webhook)}${one}/replay`;
      const answer = await client.request('POST', path);
      printAnswer(options, answer, (text) => {
        const { replayed } = JSON.parse(text) as { readonly replayed: number };
        return [`${String(replayed)} will be delivered again`];
      });
    },
  );
}
