import { Command, Option } from 'commander';
import { exampleHelp, printAnswer } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';

interface Webhook {
  readonly webhookId: string;
  readonly url: string;
}
interface Delivery {
  readonly deliveryId: string;
  readonly state: string;
  readonly attempts: number;
  readonly lastError?: string | null;
}

const overview = `
Webhooks notify clients that the catalog has changed; they then read it anew. A notification that was not taken after many
attempts is a dead letter: it is kept for thirty days, and can be delivered again.

Examples:
    $ portal-catalog webhook list
    $ portal-catalog webhook deliveries 0192f0c4-… --state dead
    $ portal-catalog webhook replay 0192f0c4-…

All of them need a token with catalog:admin.`;

export function webhookCommand(): Command {
  const command = new Command('webhook')
    .description('webhooks: list them, see what could not be delivered, and deliver it again')
    .addHelpText('after', overview);
  for (const inner of [listing(), deliveries(), replaying()]) command.addCommand(inner);
  return command;
}

function listing(): Command {
  const command = new Command('list')
    .description('list the webhooks of the host')
    .addHelpText('after', exampleHelp('webhook list'));
  return connectionOptions(command).action(async (options: ConnectionOptions) => {
    const answer = await new CatalogClient(options).request('GET', '/webhooks?limit=500');
    printAnswer(options.json, answer, (text) => {
      const { items } = JSON.parse(text) as { readonly items: readonly Webhook[] };
      if (items.length === 0) return ['There is no webhook.'];
      return items.map(({ webhookId, url }) => `${webhookId}  ${url}`);
    });
  });
}

function deliveries(): Command {
  const command = new Command('deliveries')
    .description('list what is to be delivered, and what was given up')
    .argument('<webhookId>', 'webhook to look at')
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'dead']))
    .addHelpText('after', exampleHelp('webhook deliveries 0192f0c4-… --state dead'));
  return connectionOptions(command).action(
    async (webhookId: string, options: ConnectionOptions & { readonly state?: string }) => {
      const query = new URLSearchParams({ limit: '500' });
      if (options.state !== undefined) query.set('state', options.state);
      const path = `/webhooks/${encodeURIComponent(webhookId)}/deliveries?${query.toString()}`;
      const answer = await new CatalogClient(options).request('GET', path);
      printAnswer(options.json, answer, (text) =>
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
    .argument('<webhookId>', 'webhook to deliver to')
    .option('--delivery <deliveryId>', 'only this one (default: all of them)')
    .addHelpText(
      'after',
      exampleHelp('webhook replay 0192f0c4-…', 'webhook replay 0192f0c4-… --delivery 0192f0c5-…'),
    );
  return connectionOptions(command).action(
    async (webhookId: string, options: ConnectionOptions & { readonly delivery?: string }) => {
      const one = options.delivery === undefined ? '' : `/deliveries/${encodeURIComponent(options.delivery)}`;
      const path = `/webhooks/${encodeURIComponent(webhookId)}${one}/replay`;
      const answer = await new CatalogClient(options).request('POST', path);
      printAnswer(options.json, answer, (text) => {
        const { replayed } = JSON.parse(text) as { readonly replayed: number };
        return [`${String(replayed)} will be delivered again`];
      });
    },
  );
}
