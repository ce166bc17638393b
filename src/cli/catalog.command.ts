import { Command } from 'commander';
import { CliFault, exitCodes, printAnswer } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';

interface CatalogOptions extends ConnectionOptions {
  readonly agent?: string;
  readonly service?: string;
  readonly env?: string;
  readonly context?: string;
  readonly withheld?: boolean;
  readonly examples?: boolean;
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
    $ portal-catalog catalog --agent 0192f0c4-… --service tidewell.account-agent-1.0.0 --env dev --withheld
  The bytes that the agent gets:
    $ portal-catalog catalog --json | jq .skills`;

export function catalogCommand(): Command {
  const command = new Command('catalog')
    .description('show what an agent is given: its effective catalog')
    .option('--agent <agentDefId>', 'agent (default: the token’s)')
    .option('--service <serviceId>', 'service that the agent is registered for (default: the token’s)')
    .option('--env <tag>', 'environment (default: the token’s)')
    .option('--context <names>', 'names of the context at hand, comma-separated')
    .option('--withheld', 'also what is withheld, and why')
    .option('--examples', 'also example prompts')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (options: CatalogOptions) => {
    const client = new CatalogClient(options);
    const answer = await client.request('GET', catalogPath(client, options)).catch((error: unknown) => {
      throw error instanceof CliFault ? whereItLooked(error, client, options) : error;
    });
    printAnswer(options.json, answer, (text) => described(JSON.parse(text) as Catalog));
  });
}

/** Explains that an agent of another service or environment is not found. */
function whereItLooked(fault: CliFault, { claims }: CatalogClient, options: CatalogOptions): CliFault {
  if (!fault.message.startsWith('404')) return fault;
  const service = `${options.service ?? claims.serviceId ?? ''} (${options.service === undefined ? 'of the token' : '--service'})`;
  const env = `${options.env ?? claims.envTag ?? ''} (${options.env === undefined ? 'of the token' : '--env'})`;
  const detail = `It was looked for in service ${service}, environment ${env}. If the agent belongs to another, say --service or --env; the token must cover it.`;
  return new CliFault(fault.exitCode, `${fault.message}\n${detail}`);
}

function catalogPath(client: CatalogClient, options: CatalogOptions): string {
  const agent = options.agent ?? client.claims.agentDefId;
  const serviceId = options.service ?? client.claims.serviceId;
  const envTag = options.env ?? client.claims.envTag;
  if (agent === undefined || serviceId === undefined || envTag === undefined) {
    throw new CliFault(
      exitCodes.usage,
      'The token does not say which agent, service or environment: add --agent, --service or --env.',
    );
  }
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
