import { Command, Option } from 'commander';
import { printAnswer } from './answer.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { destinationOf, documentOf, type Destination } from './offered-document.js';
import { withProgress } from './progress.js';

interface ImportOptions extends ConnectionOptions, Destination {
  readonly apiVersion?: string;
  readonly format?: string;
  readonly publish?: boolean;
  readonly createTags?: boolean;
  readonly dryRun?: boolean;
}

interface ImportReport {
  readonly apiVersionId: string;
  readonly format: string;
  readonly formatVersion: string;
  readonly total: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly deactivated: number;
  readonly reactivated: number;
  /** With --publish. */
  readonly published?: number;
  readonly warnings: readonly { readonly code: string; readonly pointer: string; readonly detail: string }[];
  readonly conflicts: readonly {
    readonly endpoint: string;
    readonly field: string;
    readonly layer: string;
  }[];
}

const examples = `
Importing the same document again changes nothing; a newer one changes what differs and keeps what operators wrote.

Examples:
  A new API, its version and its endpoints, and tools for all of them:
    $ portal-catalog import openapi.yaml --api orders --name "Order service" --version 1.0.0 \\
        --service com.example.orders-1.0.0 --env dev --publish
  What would change if this document were imported?
    $ portal-catalog import openapi.yaml --api-version 0192f0c4-… --dry-run
  A description in several files, as a folder or packed:
    $ portal-catalog import ./proto --api-version 0192f0c4-…
  From another program:
    $ curl -s https://orders.example.com/openapi.json | portal-catalog import - --api-version 0192f0c4-…`;

export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'import an API description: OpenAPI, LightAPI, OpenRPC, GraphQL, gRPC, or the tools of an MCP server',
    )
    .argument('<file>', 'document, folder, zip or tar to import, or - for standard input')
    .option('--api-version <apiVersionId>', 'import into this API version')
    .option('--api <apiId>', 'import into this API, made where missing')
    .option('--name <text>', 'name of the API, where it is made')
    .option('--version <label>', 'version of the API, made where missing', '1.0.0')
    .option('--service <serviceId>', 'service that provides it (default: the token’s)')
    .option('--env <tag>', 'environment that it runs in')
    .addOption(
      new Option('--format <format>', 'format of the document')
        .choices(['auto', 'openapi', 'mcp', 'mcp-router', 'lightapi', 'openrpc', 'grpc', 'graphql'])
        .default('auto'),
    )
    .option('--publish', 'publish a tool for every endpoint')
    .option('--create-tags', 'make the tags of the document that there are not yet')
    .option('--dry-run', 'report what would change, and change nothing')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (file: string, options: ImportOptions) => {
    const client = new CatalogClient(options);
    const document = await documentOf(file);
    const [path, body] = importRequest(client, options, document);
    const answer = await withProgress(`Importing ${file}`, () => client.request('POST', path, body));
    printAnswer(options.json, answer, (text) => described(JSON.parse(text) as ImportReport, options));
  });
}

function importRequest(
  client: CatalogClient,
  options: ImportOptions,
  document: string | object,
): [string, object] {
  const common = {
    document,
    format: options.format,
    ...(options.publish ? { publish: true } : {}),
    ...(options.createTags ? { createTags: true } : {}),
    ...(options.dryRun ? { dryRun: true } : {}),
  };
  if (options.apiVersion !== undefined) {
    return [`/api-versions/${encodeURIComponent(options.apiVersion)}/imports`, common];
  }
  const how =
    'Say where the document belongs: --api-version <apiVersionId>, or --api <apiId> with --service <serviceId>.';
  return ['/imports', { ...destinationOf(client, options, how), ...common }];
}

function described(report: ImportReport, options: ImportOptions): string[] {
  const { added, changed, unchanged, deactivated, reactivated } = report;
  const lines = [
    `${report.format} ${report.formatVersion}, ${report.total} endpoints${options.dryRun ? ' (dry run: nothing was written)' : ''}`,
    `  ${added} added, ${changed} changed, ${unchanged} unchanged, ${deactivated} deactivated, ${reactivated} reactivated`,
    ...report.warnings.map(
      ({ code, pointer, detail }) => `  warning ${code} at ${pointer || '/'}: ${detail}`,
    ),
    ...report.conflicts.map(
      ({ endpoint, field, layer }) => `  conflict at ${endpoint}: ${field} differs from layer ${layer}`,
    ),
  ];
  if (report.published !== undefined) lines.push(`  ${report.published} tools published`);
  if (!options.dryRun) lines.push(`API version ${report.apiVersionId}`);
  if (!options.dryRun && !options.publish) {
    lines.push(`Next: portal-catalog publish --api-version ${report.apiVersionId}`);
  }
  return lines;
}
