import { Argument, Command } from 'commander';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { idOf, pathOf } from './named-record.js';
import { isNoun, nouns, type NounWord } from './nouns.js';
import { exampleHelp, oneLine, parsedAnswer, printAnswer } from './output.js';
import { impactLines, type Impact } from './receipt.js';
import { ServiceDocument } from './service-document.js';

interface ExplainOptions extends ConnectionOptions {
  readonly service?: string;
  readonly env?: string;
  readonly context?: string;
  readonly all?: boolean;
}
interface PreviewOptions extends ConnectionOptions {
  readonly agent?: string;
  readonly prompt?: string;
}
interface Explanation {
  readonly disclosed: boolean;
  readonly offers: readonly {
    readonly skillName: string;
    readonly toolName: string;
    readonly disclosed: boolean;
    readonly reason?: string;
    readonly rules: readonly {
      readonly reason: string;
      readonly outcome: string;
      readonly compared: unknown;
      readonly detail?: string;
    }[];
  }[];
}
interface Preview {
  readonly given: boolean;
  readonly prompt: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly accessLevel: string;
  }[];
  readonly size: Readonly<Record<'prompt' | 'toolDefinitions', { readonly estimatedTokens: number }>>;
  readonly findings: readonly {
    readonly code: string;
    readonly toolName?: string;
    readonly detail: string;
  }[];
}

/** Why an agent is given a tool, or is not: `explain`. */
export function explainCommand(): Command {
  const command = new Command('explain')
    .description('why an agent is given a tool, or is not: rule by rule (needs catalog:admin)')
    .argument('<agent>', 'id or name of the agent')
    .argument('<tool>', 'id or name of the tool')
    .option('--service <serviceId>', 'service that the agent is registered for')
    .option('--env <tag>', 'environment')
    .option('--context <names>', 'names of the context at hand, comma-separated')
    .option('--all', 'also rules that it has passed')
    .addHelpText(
      'after',
      exampleHelp('explain account-agent deleteAccount', 'explain account-agent getAccounts --all'),
    );
  return connectionOptions(command).action(async (agent: string, tool: string, options: ExplainOptions) => {
    const client = new CatalogClient(options);
    const query = new URLSearchParams({ tool });
    const { service, env, context } = options;
    for (const [name, value] of Object.entries({ serviceId: service, envTag: env, context }))
      if (value !== undefined) query.set(name, value);
    const path = `${await pathOf(client, nouns.agent, agent)}/effective-catalog/explain?${query.toString()}`;
    printAnswer(options, await client.request('GET', path), (text) => {
      const { offers, disclosed } = parsedAnswer(text) as Explanation;
      if (offers.length === 0) return [`No skill of ${agent} links a tool ${tool}.`];
      return [
        `${tool}: ${disclosed ? 'is given' : 'is withheld'}`,
        ...offers.flatMap((offer) => [
          `by the skill ${offer.skillName}: ${offer.disclosed ? 'given' : (offer.reason ?? 'withheld')}`,
          ...offer.rules
            .filter(({ outcome }) => options.all === true || outcome !== 'passed')
            .map(
              ({ reason, outcome, compared, detail = '' }) =>
                `  ${outcome} ${reason}  ${oneLine(compared, 100)}${detail === '' ? '' : `  ${detail}`}`,
            ),
        ]),
      ];
    });
  });
}

/** A skill as an agent reads it: `preview`. */
export function previewCommand(): Command {
  const command = new Command('preview')
    .description('a skill as an agent reads it, with its size and what could be better')
    .argument('<skill>', 'id or name of the skill')
    .option('--agent <agent>', 'as this agent is given it: its id or its name')
    .option('--prompt <text>', 'what is asked of the agent')
    .addHelpText('after', exampleHelp('preview account-management --agent account-agent'));
  return connectionOptions(command).action(async (skill: string, options: PreviewOptions) => {
    const client = new CatalogClient(options);
    const body = {
      ...(options.prompt !== undefined && { prompt: options.prompt }),
      ...(options.agent !== undefined && { agentDefId: await idOf(client, nouns.agent, options.agent) }),
    };
    const path = `${await pathOf(client, nouns.skill, skill)}/preview`;
    printAnswer(options, await client.request('POST', path, body), (text) => {
      const { given, prompt, tools, size, findings } = parsedAnswer(text) as Preview;
      return [
        ...(given ? [] : [`${skill} is not given to the agent.`]),
        ...prompt.split('\n'),
        ...tools.map(
          ({ name, accessLevel, description }) => `${name} (${accessLevel})  ${oneLine(description, 100)}`,
        ),
        `about ${String(size.prompt.estimatedTokens)} tokens of instructions, ${String(size.toolDefinitions.estimatedTokens)} of tools`,
        ...findings.map(
          ({ code, toolName, detail }) => `${code}${toolName === undefined ? '' : ` ${toolName}`}: ${detail}`,
        ),
      ];
    });
  });
}

/** What depends on a record: `impact`. */
export function impactCommand(): Command {
  const document = ServiceDocument.ofPackage();
  const kinds = (Object.keys(nouns) as NounWord[]).filter(
    (word) => document.operation('get', `/${nouns[word].path}/{${nouns[word].id}}/impact`) !== undefined,
  );
  const command = new Command('impact')
    .description('what would be affected if a record were switched off')
    .addArgument(new Argument('<kind>', 'what it is').choices(kinds))
    .argument('<name>', 'its id or its name')
    .addHelpText('after', exampleHelp('impact api orders', 'impact tool getAccounts'));
  return connectionOptions(command).action(
    async (kind: string, named: string, options: ConnectionOptions) => {
      if (!isNoun(kind)) return;
      const client = new CatalogClient(options);
      const answer = await client.request('GET', `${await pathOf(client, nouns[kind], named)}/impact`);
      printAnswer(options, answer, (text) => {
        const lines = impactLines(parsedAnswer(text) as Impact);
        return lines.length === 0 ? [`Nothing depends on ${kind} ${named}.`] : lines;
      });
    },
  );
}
