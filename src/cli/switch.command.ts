import { Argument, Command } from 'commander';
import { CliFault, exitCodes, parsedAnswer, printAnswer } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';

interface SwitchOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
}

interface Impact {
  readonly tools: readonly { readonly name: string }[];
  readonly skills: readonly { readonly name: string; readonly effect: string }[];
  readonly agents: readonly { readonly name: string }[];
  readonly workflows: readonly { readonly namespace: string; readonly name: string }[];
}

interface Receipt {
  readonly changed: boolean;
  readonly impact?: Impact;
  readonly conflicts?: readonly { readonly detail: string }[];
}

type Row = Readonly<Record<string, unknown>>;

/** Kinds that can be switched: path, id, name, and the query that finds them. */
const kinds = {
  agent: { path: 'agents', id: 'agentDefId', named: ({ name }: Row) => name, query: 'agents?q=' },
  api: { path: 'apis', id: 'apiId', named: ({ apiName }: Row) => apiName, query: 'apis?q=' },
  'api-version': {
    path: 'api-versions',
    id: 'apiVersionId',
    named: ({ apiId, apiVersion }: Row) => `${String(apiId)}@${String(apiVersion)}`,
    query: 'api-versions?apiId=',
  },
} as const;
type Kind = keyof typeof kinds;

const examples = (verb: string): string => `
Examples:
    $ portal-catalog ${verb} agent account-agent
    $ portal-catalog ${verb} api-version orders@1.0.0
    $ portal-catalog ${verb} api orders`;

/** Switches an agent, an API or an API version off: `disable`. */
export function disableCommand(): Command {
  const command = switching(
    'disable',
    'switch an agent, an API or an API version off; all that hangs on it stays',
  );
  return command
    .option('--dry-run', 'print what it would affect, and do nothing')
    .action(async (kind: Kind, named: string, options: SwitchOptions) => {
      const client = new CatalogClient(options);
      const path = await pathOf(client, kind, named);
      const answer = options.dryRun
        ? await client.request('GET', `${path}/impact`)
        : await client.request('POST', `${path}/deactivate`);
      printAnswer(options.json, answer, (text) => {
        if (options.dryRun) return hit(parsedAnswer(text) as Impact);
        const { changed, impact } = parsedAnswer(text) as Receipt;
        return [`${named}: ${changed ? 'off' : 'was off already'}`, ...(impact ? hit(impact) : [])];
      });
    });
}

/** Switches it on again: `enable`. */
export function enableCommand(): Command {
  const command = switching('enable', 'switch an agent, an API or an API version on again');
  return command.action(async (kind: Kind, named: string, options: SwitchOptions) => {
    const client = new CatalogClient(options);
    const answer = await client.request('POST', `${await pathOf(client, kind, named)}/activate`);
    printAnswer(options.json, answer, (text) => {
      const { changed, conflicts = [] } = parsedAnswer(text) as Receipt;
      const done = `${named}: ${changed ? 'on' : 'was on already'}`;
      return [done, ...conflicts.map(({ detail }) => `  conflict: ${detail}`)];
    });
  });
}

function switching(verb: string, description: string): Command {
  const command = new Command(verb)
    .description(description)
    .addArgument(new Argument('<kind>', 'what it is').choices(Object.keys(kinds)))
    .argument('<name>', 'its id or its name; of a version <apiId>@<version>')
    .addHelpText('after', examples(verb));
  return connectionOptions(command);
}

/** Finds the path of a record by its id or name. */
async function pathOf(client: CatalogClient, kind: Kind, named: string): Promise<string> {
  const { path, id, named: nameOf, query } = kinds[kind];
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(named)) {
    return `/${path}/${encodeURIComponent(named)}`;
  }
  const asked = kind === 'api-version' ? named.slice(0, Math.max(named.lastIndexOf('@'), 0)) : named;
  if (asked === '') {
    const form =
      kind === 'api-version' ? '<apiId>@<version>, such as orders@1.0.0, or by its id' : 'its name or its id';
    throw new CliFault(exitCodes.usage, `"${named}" names no ${kind}. Name it by ${form}.`);
  }
  const listed = await client.request('GET', `/${query}${encodeURIComponent(asked)}&active=all&limit=500`);
  const { items } = parsedAnswer(listed) as { readonly items: readonly Row[] };
  const found = items.filter((row) => row[id] === named || nameOf(row) === named);
  const [only] = found.filter((row) => row[id] === named).concat(found);
  if (only === undefined) {
    throw new CliFault(exitCodes.refused, `There is no ${kind} ${named} that the token covers.`);
  }
  if (found.length > 1 && only[id] !== named) {
    const ids = found.map((row) => `  ${String(row[id])}`).join('\n');
    throw new CliFault(exitCodes.usage, `Several are called ${named}. Name one by its id:\n${ids}`);
  }
  return `/${path}/${encodeURIComponent(String(only[id]))}`;
}

function hit({ tools, skills, agents, workflows }: Impact): string[] {
  return [
    ...tools.map(({ name }) => `  tool ${name}`),
    ...skills.map(({ name, effect }) => `  skill ${name}: ${effect.replaceAll('_', ' ')}`),
    ...agents.map(({ name }) => `  agent ${name}`),
    ...workflows.map(({ namespace, name }) => `  workflow ${namespace}/${name}`),
  ];
}
