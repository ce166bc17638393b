import { Command, Option } from 'commander';
import { CliFault, exitCodes, parsedAnswer, printAnswer, withProgress } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { idOf } from './named-record.js';
import { nouns } from './nouns.js';
import { withheldLines, type WithheldTool } from './import-answer.js';

interface PublishOptions extends ConnectionOptions {
  readonly apiVersion?: string;
  readonly endpoint?: readonly string[];
  readonly onConflict: string;
}

const examples = `
Examples:
  Tools for every active endpoint of an API version:
    $ portal-catalog publish --api-version 0192f0c4-…
  For two endpoints, with the API's id in front of names that are taken:
    $ portal-catalog publish --endpoint 5b1d… 77f0… --on-conflict prefix`;

export function publishCommand(): Command {
  const command = new Command('publish')
    .description('publish endpoints as tools; what is published already stays as it is')
    .option(
      '--api-version <version>',
      'all active endpoints of this API version: its id, or <apiId>@<version>',
    )
    .option('--endpoint <endpoint...>', 'these endpoints: ids or names')
    .addOption(
      new Option('--on-conflict <way>', 'a name that is taken: report it, or prefix the new one')
        .choices(['report', 'prefix'])
        .default('report'),
    )
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (options: PublishOptions) => {
    const client = new CatalogClient(options);
    const body = { ...(await selection(client, options)), onConflict: options.onConflict };
    const answer = await withProgress('Publishing', () => client.request('POST', '/tools/publish', body));
    printAnswer(options, answer, (text) => described(parsedAnswer(text) as Publication));
  });
}

async function selection(client: CatalogClient, options: PublishOptions): Promise<object> {
  if (options.endpoint !== undefined) {
    const endpointIds: string[] = [];
    for (const each of options.endpoint) endpointIds.push(await idOf(client, nouns.endpoint, each));
    return { endpointIds };
  }
  if (options.apiVersion !== undefined)
    return { filter: { apiVersionId: await idOf(client, nouns['api-version'], options.apiVersion) } };
  throw new CliFault(
    exitCodes.usage,
    'Say what to publish: --api-version <version> or --endpoint <endpoint...>.',
  );
}

interface Publication {
  readonly published: number;
  readonly unchanged: number;
  readonly conflicts: readonly {
    readonly endpoint: string;
    readonly code: string;
    readonly detail: string;
  }[];
  readonly withheld: readonly WithheldTool[];
  readonly leftOut: readonly { readonly endpointId: string; readonly name: string }[];
}

function described({ published, unchanged, conflicts, leftOut, withheld }: Publication): string[] {
  return [
    `${String(published)} published, ${String(unchanged)} unchanged, ${String(conflicts.length)} conflicts`,
    ...conflicts.map(({ endpoint, detail }) => `  conflict at ${endpoint}: ${detail}`),
    ...leftOut.map(
      ({ endpointId, name }) =>
        `  not published: ${name} streams, which an agent can't call; --endpoint ${endpointId} does it all the same`,
    ),
    ...(conflicts.some(({ code }) => code === 'tool_name_taken')
      ? ['To settle the names: the same command with --on-conflict prefix']
      : []),
    ...withheldLines(withheld),
  ];
}
