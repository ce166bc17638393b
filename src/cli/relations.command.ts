import { Command } from 'commander';
import { CatalogClient, connectionOptions } from './catalog-client.js';
import { idOf, pathOf } from './named-record.js';
import { addOptions, bodyOptions, valuesOf, type MemberOption, type Members } from './noun-options.js';
import type { NounOptions } from './noun-writes.js';
import { nouns } from './nouns.js';
import { CliFault, exampleHelp, exitCodes, oneLine, parsedAnswer, printAnswer } from './output.js';
import { ServiceDocument } from './service-document.js';

interface Receipts {
  readonly items: readonly { readonly changed: boolean }[];
}
interface Checks {
  readonly items: readonly {
    readonly skillId: string;
    readonly ok: boolean;
    readonly problems: readonly { readonly detail?: string; readonly code?: string }[];
  }[];
}

/** Members of a link’s body, with their options. */
function membersOf(path: string, noun: (typeof nouns)[keyof typeof nouns]): MemberOption[] {
  const document = ServiceDocument.ofPackage();
  const body = document.operation('put', path)?.body;
  return body === undefined ? [] : bodyOptions(document, body, noun);
}

/** Gives skills to an agent: `assign`. */
export function assignCommand(): Command {
  const members = membersOf('/agents/{agentDefId}/skills/{skillId}', nouns.agent);
  const command = new Command('assign')
    .description('give skills to an agent, all of them or none')
    .argument('<agent>', 'id or name of the agent')
    .argument('<skill...>', 'ids or names of the skills')
    .option('--dry-run', 'print what stands against it, and do nothing');
  addOptions(command, members, false);
  command.addHelpText(
    'after',
    exampleHelp(
      'assign account-agent account-management',
      'assign account-agent refunds --priority 5 --dry-run',
    ),
  );
  return connectionOptions(command).action(async (agent: string, named: string[], options: NounOptions) => {
    const client = new CatalogClient(options);
    const path = `${await pathOf(client, nouns.agent, agent)}/skills`;
    const terms = await valuesOf(client, members, options, nouns.agent);
    const skills: Members[] = [];
    for (const each of named) skills.push({ skillId: await idOf(client, nouns.skill, each), ...terms });
    if (options['dryRun'] === true) {
      const answer = await client.request('POST', `${path}/validate`, { skills });
      printAnswer(options, answer, (text) => {
        const { items } = parsedAnswer(text) as Checks;
        return items.flatMap(({ ok, problems }, at) => [
          `${named[at] ?? ''}: ${ok ? 'may be assigned' : 'is refused'}`,
          ...problems.map(({ code = '', detail = '' }) => `  ${code}: ${detail}`),
        ]);
      });
      return;
    }
    const answer = await client.request('POST', path, { skills });
    printAnswer(options, answer, (text) => {
      const { items } = parsedAnswer(text) as Receipts;
      return named.map(
        (each, at) => `${each}: ${items[at]?.changed === true ? 'assigned to' : 'was assigned to'} ${agent}`,
      );
    });
  });
}

/** Takes skills from an agent: `unassign`. */
export function unassignCommand(): Command {
  return removal('unassign', 'take skills from an agent', {
    whole: nouns.agent,
    part: nouns.skill,
    example: 'unassign account-agent account-management',
  });
}

/** Links tools to a skill: `link`. */
export function linkCommand(): Command {
  const members = membersOf('/skills/{skillId}/tools/{toolId}', nouns.skill);
  const command = new Command('link')
    .description('link tools to a skill, one after the other')
    .argument('<skill>', 'id or name of the skill')
    .argument('<tool...>', 'ids or names of the tools');
  addOptions(command, members, false);
  command.addHelpText('after', exampleHelp('link account-management getAccounts --access-level read'));
  return connectionOptions(command).action(async (skill: string, named: string[], options: NounOptions) => {
    const client = new CatalogClient(options);
    const path = `${await pathOf(client, nouns.skill, skill)}/tools`;
    const terms = await valuesOf(client, members, options, nouns.skill);
    const ids: string[] = [];
    for (const each of named) ids.push(await idOf(client, nouns.tool, each));
    await oneByOne(options, named, async (at) => {
      const answer = await client.request('PUT', `${path}/${ids[at] ?? ''}`, terms);
      return { answer, done: `linked to ${skill}` };
    });
  });
}

/** Unlinks tools from a skill: `unlink`. */
export function unlinkCommand(): Command {
  return removal('unlink', 'take tools from a skill', {
    whole: nouns.skill,
    part: nouns.tool,
    example: 'unlink account-management deleteAccount',
  });
}

type Ends = {
  readonly whole: typeof nouns.agent | typeof nouns.skill;
  readonly part: typeof nouns.skill | typeof nouns.tool;
  readonly example: string;
};

function removal(verb: string, description: string, { whole, part, example }: Ends): Command {
  const command = new Command(verb)
    .description(`${description}, one after the other`)
    .argument(`<${whole.word}>`, 'its id or its name')
    .argument(`<${part.word}...>`, 'their ids or names')
    .addHelpText('after', exampleHelp(example));
  return connectionOptions(command).action(async (from: string, named: string[], options: NounOptions) => {
    const client = new CatalogClient(options);
    const path = `${await pathOf(client, whole, from)}/${part.path}`;
    const ids: string[] = [];
    for (const each of named) ids.push(await idOf(client, part, each));
    await oneByOne(options, named, async (at) => {
      const answer = await client.request('DELETE', `${path}/${ids[at] ?? ''}`);
      return { answer, done: `taken from ${from}` };
    });
  });
}

/** Requests one after the other; what was done before one fails is said. */
async function oneByOne(
  options: NounOptions,
  named: readonly string[],
  request: (at: number) => Promise<{ readonly answer: string; readonly done: string }>,
): Promise<void> {
  const items: unknown[] = [];
  const lines: string[] = [];
  const print = () => {
    printAnswer(options, JSON.stringify({ items }), () => lines);
  };
  for (const [at, each] of named.entries()) {
    try {
      const { answer, done } = await request(at);
      const receipt = parsedAnswer(answer) as { readonly changed: boolean };
      items.push(receipt);
      lines.push(`${each}: ${receipt.changed ? done : 'unchanged'}`);
    } catch (error) {
      if (items.length > 0) print();
      throw error instanceof CliFault ? new CliFault(error.exitCode, `${each}: ${error.message}`) : error;
    }
  }
  print();
}

interface Exposure {
  readonly toolId: string;
  readonly toolName?: string;
  readonly targetHost?: string | null;
  readonly protocol?: string | null;
  readonly runtime?: object;
}

/** Selects what a gateway executes: `expose`. */
export function exposeCommand(): Command {
  const command = new Command('expose')
    .description('select tools that a gateway executes; what it exposes already stays')
    .argument('<gateway>', 'id, service or address of the gateway')
    .argument('<tool...>', 'ids or names of the tools')
    .option('--target-host <url>', 'where the calls of these tools go')
    .option('--protocol <name>', 'protocol of the calls, where it is not that of the API')
    .option('--remove', 'expose these tools no more')
    .addHelpText(
      'after',
      `\nFrom the first tool that a gateway of an environment exposes on, agents there are given exposed tools alone.\n${exampleHelp('expose gateway-1.0.0@dev getAccounts --target-host https://accounts.example.com')}`,
    );
  return connectionOptions(command).action(async (gateway: string, named: string[], options: NounOptions) => {
    const client = new CatalogClient(options);
    const path = `${await pathOf(client, nouns.gateway, gateway)}/exposures`;
    const ids: string[] = [];
    for (const each of named) ids.push(await idOf(client, nouns.tool, each));
    const kept = (await exposuresOf(client, path)).filter(({ toolId }) => !ids.includes(toolId));
    const { targetHost, protocol } = options;
    const terms = {
      ...(targetHost !== undefined && { targetHost }),
      ...(protocol !== undefined && { protocol }),
    };
    const added = options['remove'] === true ? [] : ids.map((toolId) => ({ toolId, ...terms }));
    const answer = await client.request('PUT', path, { tools: [...kept, ...added] });
    printAnswer(options, answer, () => [
      ...named.map(
        (each) => `${each}: ${options['remove'] === true ? 'exposed no more' : 'exposed'} on ${gateway}`,
      ),
      `${oneLine(gateway)} exposes ${String(kept.length + added.length)} of the tools that the token covers.`,
    ]);
  });
}

/** Exposures as the whole selection takes them. */
async function exposuresOf(client: CatalogClient, path: string): Promise<Exposure[]> {
  const answer = parsedAnswer(await client.request('GET', `${path}?limit=500`));
  const { items, nextCursor } = answer as {
    readonly items: readonly Exposure[];
    readonly nextCursor?: string;
  };
  if (nextCursor !== undefined) {
    throw new CliFault(
      exitCodes.failed,
      'The gateway exposes more than 500 tools: what is exposed beside them would be taken off. Write the whole selection over HTTP.',
    );
  }
  return items.map(({ toolId, targetHost, protocol, runtime }) => ({
    toolId,
    ...(targetHost != null && { targetHost }),
    ...(protocol != null && { protocol }),
    ...(runtime !== undefined && { runtime }),
  }));
}
