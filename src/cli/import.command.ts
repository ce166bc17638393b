import { Command, Option } from 'commander';
import { CliFault, exitCodes, parsedAnswer, printAnswer, understood, withProgress } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import {
  describedImport,
  failuresOf,
  faultsOfImport,
  type Failure,
  type ImportReport,
} from './import-answer.js';
import { destinationOf, documentOf, type Destination } from './offered-document.js';
import { formatNames } from '../formats/shared.js';

interface ImportOptions extends ConnectionOptions, Destination {
  readonly apiVersion?: string;
  readonly format?: string;
  readonly publish?: boolean;
  readonly createTags?: boolean;
  readonly onConflict?: string;
  readonly dryRun?: boolean;
  readonly failOn: readonly Failure[];
}

const examples = `
Importing the same document again changes nothing; a newer one changes what differs and keeps what operators wrote.
A document that says another version of itself gets an API version of its own; --version names the one that it goes into.
A change that breaks callers or is suspicious becomes a version in review: agents go on with the one that they have until
somebody approves it, and are given no tool whose first version holds text that addresses the model. With
PUT …/settings {"quarantine": true} API versions made later withhold a tool altogether while a change of it waits.

Examples:
  A new API, its version and its endpoints, and tools for all of them:
    $ portal-catalog import openapi.yaml --api orders --name "Order service" --version 1.0.0 \\
        --service com.example.orders-1.0.0 --env dev --publish
  What would change if this document were imported?
    $ portal-catalog import openapi.yaml --api-version 0192f0c4-… --dry-run
  The same as a gate: exit code 1 where it breaks callers, or turns suspicious, and then nothing is written:
    $ portal-catalog import openapi.yaml --api-version 0192f0c4-… --publish --fail-on breaking,suspicious
  A description in several files, as a folder or packed:
    $ portal-catalog import ./proto --api-version 0192f0c4-…
  From an address that the service reaches, and from another program:
    $ portal-catalog import https://orders.example.com/openapi.json --api-version 0192f0c4-…
    $ curl -s https://orders.example.com/openapi.json | portal-catalog import - --api-version 0192f0c4-…`;

export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'import an API description: OpenAPI, LightAPI, OpenRPC, GraphQL, gRPC, or the tools of an MCP server',
    )
    .argument(
      '<file>',
      'document, folder, zip or tar to import, the address that the service fetches a document from, or - for standard input',
    )
    .option('--api-version <apiVersionId>', 'import into this API version')
    .option('--api <apiId>', 'import into this API, made where missing')
    .option('--name <text>', 'name of the API, where it is made')
    .option(
      '--version <label>',
      'version of the API, made where missing (default: what the document says, else 1.0.0)',
    )
    .option('--service <serviceId>', 'service that provides it (default: the token’s)')
    .option('--env <tag>', 'environment that it runs in (default: the token’s, where that names one)')
    .addOption(new Option('--format <format>', 'format of the document').choices(formatNames).default('auto'))
    .option('--publish', 'publish a tool for every endpoint')
    .option('--create-tags', 'make the tags of the document that there are not yet')
    .addOption(
      new Option(
        '--on-conflict <way>',
        'with --publish: a name that is taken is reported, or gets the API’s id',
      )
        .choices(['report', 'prefix'])
        .default('report'),
    )
    .option('--dry-run', 'report what would change, and change nothing')
    .option(
      '--fail-on <what>',
      'breaking, suspicious, conflict (with commas): look first; where there is one, write nothing, and end with exit code 1',
      failuresOf,
      [],
    )
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (file: string, options: ImportOptions) => {
    const client = new CatalogClient(options);
    const document = await documentOf(client, file);
    const [path, body] = importRequest(client, options, document);
    const send = (more: object) =>
      withProgress(`Importing ${file}`, () => client.request('POST', path, { ...body, ...more }));
    if (options.failOn.length > 0) {
      const answer = await send({ dryRun: true });
      const report = parsedAnswer(answer) as ImportReport;
      const faults = understood(() => faultsOfImport(report, options.failOn));
      if (faults.length > 0) {
        printAnswer(options, answer, () => describedImport(report, { ...options, dryRun: true }));
        throw new CliFault(exitCodes.failed, `Nothing was written. ${faults.join('; ')}.`);
      }
    }
    const answer = await send({});
    printAnswer(options, answer, (text) => describedImport(parsedAnswer(text) as ImportReport, options));
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
    ...(options.publish ? { publish: true, onConflict: options.onConflict } : {}),
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
