import { Command, Option } from 'commander';
import { CliFault, exitCodes, parsedAnswer, printAnswer, withProgress } from './output.js';
import { CatalogClient, checkId, connectionOptions, type ConnectionOptions } from './catalog-client.js';
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
    .option('--api-version <apiVersionId>', 'all active endpoints of this API version')
    .option('--endpoint <endpointId...>', 'these endpoints')
    .addOption(
      new Option('--on-conflict <way>', 'a name that is taken: report it, or prefix the new one')
        .choices(['report', 'prefix'])
        .default('report'),
    )
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (options: PublishOptions) => {
    const client = new CatalogClient(options);
    const body = { ...selection(options), onConflict: options.onConflict };
    const answer = await withProgress('Publishing', () => client.request('POST', '/tools/publish', body));
    printAnswer(options.json, answer, (text) => described(parsedAnswer(text) as Publication));
  });
}

function selection(options: PublishOptions): object {
  for (const id of options.endpoint ?? []) checkId('--endpoint', id);
  if (options.apiVersion !== undefined) checkId('--api-version', options.apiVersion);
  if (options.endpoint !== undefined) return { endpointIds: options.endpoint };
  if (options.apiVersion !== undefined) return { filter: { apiVersionId: options.apiVersion } };
  throw new CliFault(
    exitCodes.usage,
    'Say what to publish: --api-version <apiVersionId> or --endpoint <endpointId...>.',
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
