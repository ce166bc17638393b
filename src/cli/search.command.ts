import { Command, Option } from 'commander';
import { oneLine, parsedAnswer, printAnswer, understood } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { teach } from './data-set.js';
import { idOf } from './named-record.js';
import { nouns } from './nouns.js';
import { toolsNamed, withApis } from './tool-apis.js';

interface SearchOptions extends ConnectionOptions {
  readonly agent?: string;
  readonly kind?: readonly string[];
  readonly domain?: string;
  readonly limit: string;
  readonly explain?: boolean;
  readonly teach?: string;
}

interface Found {
  readonly items: readonly {
    readonly kind: string;
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly score: number;
    readonly keywordScore: number;
    readonly vectorScore: number | null;
    readonly weight: number;
    readonly matched?: readonly { readonly term: string; readonly fields: readonly string[] }[];
    readonly related?: readonly { readonly name: string; readonly reason: string }[];
  }[];
  readonly degraded?: readonly string[];
}

const examples = `
Examples:
  Which tool would be taken for this?
    $ portal-catalog search "send money to another account" --kind tool
  In one agent's catalog, and why in this order?
    $ portal-catalog search "what is my balance?" --agent 0192f0c4-… --explain
  This prompt means that tool: from now on it is found by it.
    $ portal-catalog search "am I broke?" --teach getBalance`;

export function searchCommand(): Command {
  const command = new Command('search')
    .description('find the right tool, skill or endpoint for a prompt')
    .argument('<prompt>', 'what is wanted, as people say it')
    .option('--agent <agent>', 'only in this agent’s catalog: its id or its name')
    .addOption(new Option('--kind <kind...>', 'what to find').choices(['tool', 'skill', 'endpoint']))
    .option('--domain <domain>', 'only in this domain and below it')
    .option('--limit <number>', 'maximum of finds', '10')
    .option('--explain', 'what matched, and each part of the score')
    .option('--teach <toolName>', 'first, keep the prompt as an example of the tool that it means')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (prompt: string, options: SearchOptions) => {
    const { agent, kind: kinds, domain, limit, explain } = options;
    const filters = domain === undefined ? undefined : { domain };
    const client = new CatalogClient(options);
    const agentDefId = agent === undefined ? undefined : await idOf(client, nouns.agent, agent);
    const body = { prompt, agentDefId, kinds, filters, limit: Number(limit), explain };
    if (options.teach !== undefined) await teach(client, [{ prompt, expect: [options.teach] }]);
    const answer = await client.request('POST', '/search', body);
    const found = understood(() => parsedAnswer(answer) as Found);
    const names = understood(() => found.items.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : [])));
    const tools = options.json ? [] : await toolsNamed(client, names);
    printAnswer(options, answer, () => described(found, tools));
  });
}

const rephrasing =
  'Say it in words of the names and descriptions; what means the same in other words only a model finds (EMBEDDING_PROVIDER of the service), or --teach.';

function described({ items, degraded = [] }: Found, tools: Awaited<ReturnType<typeof toolsNamed>>): string[] {
  const nameOf = ({ id, name }: Found['items'][number]): string =>
    withApis(tools.filter(({ toolId }) => toolId === id))(name);
  const missing = degraded.map((what) => `without ${what}`);
  if (items.length === 0) return ['Nothing was found.', rephrasing, ...missing];
  const lines = items.flatMap((item) => [
    `${item.score.toFixed(3)}  ${item.kind} ${nameOf(item)}  ${oneLine(item.description, 100)}`,
    ...(item.matched === undefined ? [] : [`       ${reasons(item)}`]),
    ...(item.related ?? []).map(({ name, reason }) => `       ${reason}: ${name}`),
  ]);
  return [...lines, ...missing];
}

function reasons({ keywordScore, vectorScore, weight, matched = [] }: Found['items'][number]): string {
  const terms = matched.map(({ term, fields }) => `${term} (${fields.join(', ')})`).join(', ');
  return `words ${String(keywordScore)}, vector ${String(vectorScore ?? 'none')}, weight ${String(weight)}; ${terms}`;
}
