import { Command } from 'commander';
import { createParser } from 'eventsource-parser';
import { catalogChanges, type ComparedCatalog } from './catalog-changes.js';
import { CliFault, exitCodes, parsedAnswer, printAnswer } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { rowOf } from './named-record.js';
import { nouns, type Row } from './nouns.js';
import { isUuid } from '../platform/validation/validator.js';

interface CatalogOptions extends ConnectionOptions {
  readonly agent?: string;
  readonly service?: string;
  readonly env?: string;
  readonly context?: string;
  readonly withheld?: boolean;
  readonly examples?: boolean;
  readonly watch?: boolean;
}

interface Catalog {
  readonly catalogVersion: number;
  readonly catalogHash: string;
  readonly agent: { readonly name: string; readonly maxSensitivityTier: string };
  readonly skills: readonly {
    readonly name: string;
    readonly version: string;
    readonly tools: readonly {
      readonly name: string;
      readonly method: string;
      readonly path: string;
      readonly description: string;
    }[];
  }[];
  readonly withheld?: readonly {
    readonly toolName?: string;
    readonly reason: string;
    readonly detail: string;
  }[];
}

const nothingGiven =
  'No skill is given: none is assigned, or the agent or its skills are inactive. --withheld says why (needs catalog:admin).';

const examples = `
Examples:
  With an agent's token nothing more is needed; the token says which agent, service and environment:
    $ portal-catalog catalog
  What is an agent not given, and why? (needs catalog:admin)
    $ portal-catalog catalog --agent account-agent --withheld
  The bytes that the agent gets:
    $ portal-catalog catalog --json | jq .skills`;

export function catalogCommand(): Command {
  const command = new Command('catalog')
    .description('show what an agent is given: its effective catalog')
    .option('--agent <agent>', 'id or name of the agent (default: the token’s)')
    .option(
      '--service <serviceId>',
      'service that the agent is registered for (default: the token’s, or the agent’s)',
    )
    .option('--env <tag>', 'environment (default: the token’s)')
    .option('--context <names>', 'names of the context at hand, comma-separated')
    .option('--withheld', 'also what is withheld, and why')
    .option('--examples', 'also example prompts')
    .option('--watch', 'then go on, and say what changes, until it is ended')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (options: CatalogOptions) => {
    const client = new CatalogClient(options);
    const asked = await questionOf(client, options);
    const answer = await client.request('GET', catalogPath(asked, options)).catch((error: unknown) => {
      throw error instanceof CliFault ? whereItLooked(error, asked, options) : error;
    });
    printAnswer(options, answer, (text) => described(JSON.parse(text) as Catalog));
    if (options.watch) await watched(client, asked, { options, answer });
  });
}

/** Prints what has changed since, and gives the catalog as it is now. */
async function shownSince(
  before: ComparedCatalog,
  {
    client,
    path,
    options,
  }: { readonly client: CatalogClient; readonly path: string; readonly options: CatalogOptions },
): Promise<ComparedCatalog> {
  const answer = await client.request('GET', path);
  const after = parsedAnswer(answer) as ComparedCatalog;
  printAnswer(options, answer, () => [
    `version ${String(after.catalogVersion)}`,
    ...catalogChanges(before, after).map((line) => `  ${line}`),
  ]);
  return after;
}

/** Says what changes, until the stream ends: with the token, or with the service. */
async function watched(
  client: CatalogClient,
  { agent, serviceId, envTag }: Question,
  { options, answer }: { readonly options: CatalogOptions; readonly answer: string },
): Promise<void> {
  let before = parsedAnswer(answer) as ComparedCatalog;
  const path = catalogPath({ agent, serviceId, envTag }, options);
  const query = new URLSearchParams({ serviceId, envTag, after: String(before.catalogVersion) });
  const over = new AbortController();
  const heard = { change: false, end: false };
  const parser = createParser({
    onEvent: ({ event }) => {
      heard.change ||= event === 'catalog-changed';
      heard.end ||= event === 'expired';
    },
  });
  const events = `/agents/${encodeURIComponent(agent)}/effective-catalog/events?${query.toString()}`;
  for await (const text of client.follow(events, over.signal)) {
    parser.feed(text);
    if (heard.change) {
      heard.change = false;
      before = await shownSince(before, { client, path, options });
    }
    if (heard.end) break;
  }
  over.abort();
  throw new CliFault(
    exitCodes.unreachable,
    'The service ended the stream: the token has run out, or it is stopping.',
  );
}

/** Whose catalog is asked for. */
interface Question {
  readonly agent: string;
  readonly serviceId: string;
  readonly envTag: string;
}

/** Explains that an agent of another service or environment is not found. */
function whereItLooked(fault: CliFault, asked: Question, options: CatalogOptions): CliFault {
  if (!fault.message.startsWith('404')) return fault;
  const source = (isSaid: boolean, option: string) => (isSaid ? option : 'of the token or the agent');
  const service = `${asked.serviceId} (${source(options.service !== undefined, '--service')})`;
  const env = `${asked.envTag} (${source(options.env !== undefined, '--env')})`;
  const detail = `It was looked for in service ${service}, environment ${env}. If the agent belongs to another, say --service or --env; the token must cover it.`;
  return new CliFault(fault.exitCode, `${fault.message}\n${detail}`);
}

/** What the options leave open is that of the token; of an agent that is called by its name its own. */
export async function questionOf(
  client: CatalogClient,
  options: Pick<CatalogOptions, 'agent' | 'service' | 'env'>,
): Promise<Question> {
  const { claims } = client;
  const named = options.agent ?? claims.agentDefId;
  const isName = named !== undefined && !isUuid(named.toLowerCase());
  const row: Row = isName ? await rowOf(client, nouns.agent, named) : {};
  const own = (member: string): string | undefined => {
    const value = row[member];
    return typeof value === 'string' ? value : undefined;
  };
  const agent = own('agentDefId') ?? named;
  const serviceId = options.service ?? own('serviceId') ?? claims.serviceId;
  const envTag = options.env ?? own('envTag') ?? claims.envTag;
  if (agent === undefined || serviceId === undefined || envTag === undefined) {
    throw new CliFault(
      exitCodes.usage,
      'The token does not say which agent, service or environment: add --agent, --service or --env.',
    );
  }
  return { agent, serviceId, envTag };
}

function catalogPath({ agent, serviceId, envTag }: Question, options: CatalogOptions): string {
  const query = new URLSearchParams({ serviceId, envTag });
  if (options.context !== undefined) query.set('context', options.context);
  if (options.withheld) query.set('withheld', 'true');
  if (options.examples) query.set('examples', 'true');
  return `/agents/${encodeURIComponent(agent)}/effective-catalog?${query.toString()}`;
}

function described(catalog: Catalog): string[] {
  const { agent, skills, withheld = [] } = catalog;
  return [
    `${agent.name}, up to ${agent.maxSensitivityTier}: version ${catalog.catalogVersion}, hash ${catalog.catalogHash}`,
    ...skills.flatMap((skill) => [
      `${skill.name} ${skill.version}`,
      ...skill.tools.map(
        ({ name, method, path, description }) =>
          `  ${name}  ${method} ${path}  ${firstSentence(description)}`,
      ),
    ]),
    ...(skills.length === 0 && catalog.withheld === undefined ? [nothingGiven] : []),
    ...withheld.map(
      ({ toolName = 'a skill', reason, detail }) => `withheld ${toolName}: ${reason}. ${detail}`,
    ),
  ];
}

function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/(?<=[.!?])\s/, 1);
  return sentence.length > 100 ? `${sentence.slice(0, 99)}…` : sentence;
}
