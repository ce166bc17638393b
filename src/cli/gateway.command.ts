import { Command, Option } from 'commander';
import { CliFault, exampleHelp, exitCodes, printAnswer, understood, withProgress } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { idOf, pathOf } from './named-record.js';
import { aboutOf, addNoun } from './noun.command.js';
import { nouns } from './nouns.js';
import { gatewayServeCommand } from './gateway-serve.command.js';
import { valueChanges } from '../importers/shared.js';

interface CheckOptions extends ConnectionOptions {
  readonly keep?: boolean;
  readonly strict?: boolean;
}
interface AcceptOptions extends ConnectionOptions {
  readonly tool?: readonly string[];
  readonly all?: boolean;
  readonly apiVersion?: string;
}

interface Finding {
  readonly toolName: string;
  readonly finding: string;
  readonly grade?: string | null;
  readonly reason?: string | null;
  readonly version?: string;
  readonly skills?: readonly string[];
  readonly dismissed?: { readonly reason: string };
  readonly before?: unknown;
  readonly after?: unknown;
}

const overview = `
Examples:
  Which gateways are there, and is what they list what the catalog has?
    $ portal-catalog gateway list --env dev
    $ portal-catalog gateway check 0192f0c4-…
  Take over what was found, tool by tool:
    $ portal-catalog gateway accept 0192f0c4-… --tool createAccount closeAccount
  What a gateway is deployed with:
    $ portal-catalog gateway config 0192f0c4-… > values.yml
  The development gateway, which is not for production:
    $ OUTBOUND_ALLOW=127.0.0.1 portal-catalog gateway serve 0192f0c4-…

All of them need a token with catalog:admin.`;

const acceptHelp = `
A new tool is exposed on the gateway with it. BEFORE THE FIRST TOOL OF AN ENVIRONMENT IS EXPOSED: from then on agents of
that environment are given only tools that a gateway of it exposes, and all others are withheld (not_exposed).
${exampleHelp('gateway accept 0192f0c4-… --tool createAccount closeAccount')}`;

const exposedNow =
  'Agents of the environment are given only tools that one of its gateways exposes: catalog --agent … --withheld shows what that takes away.';

export function gatewayCommand(): Command {
  const command = new Command('gateway')
    .description(`${aboutOf('gateway')}; check, accept what has drifted; a gateway for development`)
    .addHelpText('after', overview);
  command.addCommand(gatewayServeCommand(), { isDefault: true });
  for (const inner of [checking(), accepting(), exporting()]) command.addCommand(inner);
  return addNoun(command, 'gateway');
}

function checking(): Command {
  const command = new Command('check')
    .description('ask a gateway what it lists, and compare it with the catalog; nothing is changed')
    .argument('<gateway>', 'gateway to ask: its id, service or address')
    .option('--keep', 'keep what is found, for diagnostics and the history')
    .option('--strict', 'end with exit code 1 where the gateway differs from the catalog')
    .addHelpText(
      'after',
      exampleHelp('gateway check 0192f0c4-…', 'gateway check 0192f0c4-… --keep --strict'),
    );
  return connectionOptions(command).action(async (gateway: string, options: CheckOptions) => {
    const client = new CatalogClient(options);
    const gatewayId = await idOf(client, nouns.gateway, gateway);
    const findings = await found(client, gatewayId, options.keep === true);
    printAnswer(options, findings.answer, () => findings.items.flatMap(linesOf));
    if (options.strict && findings.items.some((each) => isAcceptable(each.finding) && !mayStay(each)))
      throw new CliFault(exitCodes.failed, 'The gateway differs from the catalog, or could not be asked.');
  });
}

async function found(
  client: CatalogClient,
  gatewayId: string,
  keep: boolean,
): Promise<{ readonly answer: string; readonly items: readonly Finding[] }> {
  const path = `/gateways/${encodeURIComponent(gatewayId)}/drift`;
  const answer = await withProgress('Asking', () =>
    keep ? client.request('POST', `${path}/check`) : client.request('GET', path),
  );
  const { items, findings, failure } = JSON.parse(answer) as {
    readonly items?: readonly Finding[];
    readonly findings?: readonly Finding[];
    readonly failure?: { readonly code: string } | null;
  };
  // The fault of a gateway that could not be asked is its only finding.
  if (failure) return { answer, items: [{ toolName: '(the gateway)', finding: failure.code }] };
  return { answer, items: understood(() => [...((items ?? findings) as readonly Finding[])]) };
}

function accepting(): Command {
  const command = new Command('accept')
    .description('take over what a check finds, as events; the gateway is asked anew')
    .argument('<gateway>', 'gateway to ask: its id, service or address')
    .option('--tool <name...>', 'findings about these tools')
    .option('--all', 'every finding that can be accepted and was not dismissed')
    .option('--api-version <version>', 'where new tools are imported (default: an API of the gateway)')
    .addHelpText('after', acceptHelp);
  return connectionOptions(command).action(async (gateway: string, options: AcceptOptions) => {
    const { tool: names, all, apiVersion } = options;
    if (names === undefined && !all)
      throw new CliFault(exitCodes.usage, 'Say what to accept: --tool <name...> or --all.');
    const client = new CatalogClient(options);
    const gatewayId = await idOf(client, nouns.gateway, gateway);
    const apiVersionId =
      apiVersion === undefined ? undefined : await idOf(client, nouns['api-version'], apiVersion);
    const { items } = await found(client, gatewayId, false);
    const findings = items
      .filter((each) => isAcceptable(each.finding) && (names?.includes(each.toolName) ?? !mayStay(each)))
      .map(({ toolName, finding }) => ({ toolName, finding }));
    if (findings.length === 0) {
      printAnswer(options, JSON.stringify({ gatewayId, items: [] }), () => ['There is nothing to accept.']);
      return;
    }
    const path = `/gateways/${encodeURIComponent(gatewayId)}/drift/accept`;
    const answer = await client.request('POST', path, { findings, apiVersionId });
    printAnswer(options, answer, () => findings.map((each) => `accepted  ${lineOf(each)}`));
    if (findings.some(({ finding }) => exposing.includes(finding))) process.stderr.write(`${exposedNow}\n`);
  });
}

/** Findings that expose a tool when they are accepted. */
const exposing: readonly string[] = ['not_in_catalog', 'inactive_in_catalog'];

/** Whether the catalog can take the finding over. */
function isAcceptable(finding: string): boolean {
  return !['in_sync', 'policy_blocked', 'version_not_served', 'operation_unfit', 'variables_unfit'].includes(
    finding,
  );
}

/** Whether somebody has said that the difference may stay. */
function mayStay({ dismissed }: Finding): boolean {
  return dismissed !== undefined;
}

function exporting(): Command {
  const command = new Command('config')
    .description('print what a gateway is deployed with')
    .argument('<gateway>', 'gateway to export: its id, service or address')
    .addOption(
      new Option('--format <format>', 'mcp-router: part of values.yml; tools-list: what it should list')
        .choices(['mcp-router', 'tools-list'])
        .default('mcp-router'),
    )
    .addHelpText('after', exampleHelp('gateway config 0192f0c4-… > values.yml'));
  return connectionOptions(command).action(
    async (gateway: string, options: ConnectionOptions & { readonly format: string }) => {
      const part = options.format === 'tools-list' ? 'tools-list' : 'config';
      const client = new CatalogClient(options);
      const path = `${await pathOf(client, nouns.gateway, gateway)}/${part}`;
      process.stdout.write(`${(await client.requestText('GET', path)).trimEnd()}\n`);
    },
  );
}

/** Prints a finding, and both sides of what differs. */
function linesOf(finding: Finding): string[] {
  const { before, after } = finding;
  if (before === undefined && after === undefined) return [lineOf(finding)];
  return [
    lineOf(finding),
    ...valueChanges(before, after, 8).map(
      ({ at, before: was = '(none)', after: is = '(none)' }) =>
        `    ${at === '' ? '' : `${at}: `}${was} → ${is}`,
    ),
  ];
}

function lineOf({ toolName, finding, grade, reason, version, skills, dismissed }: Finding): string {
  const kept = skills === undefined ? '' : `${version ?? ''}, to which ${skills.join(', ')} keep`;
  const stays = dismissed === undefined ? '' : `may stay: ${dismissed.reason.replaceAll(/\s+/g, ' ')}`;
  return [finding, toolName, grade ?? reason ?? '', kept, stays].join('  ').trimEnd();
}
