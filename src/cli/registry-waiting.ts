import { Command } from 'commander';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { counted, exampleHelp, parsedAnswer, printAnswer, program, table, understood } from './output.js';
import { shortDigest, stepFrom } from './registry-steps.js';

interface WaitingOptions extends ConnectionOptions {
  readonly tool?: string;
}

export interface WaitingTool {
  readonly toolId: string;
  readonly name: string;
  /** Left out for narrowed tokens. */
  readonly inReview?: readonly { readonly version: string; readonly state: string }[];
}

interface Page {
  readonly items: readonly WaitingTool[];
  readonly nextCursor?: string;
}

const examples = `
Drafts wait for their author to submit them, versions in review for somebody else to approve them; no agent is given either.
${exampleHelp('registry waiting', 'registry waiting --tool read_file', 'registry waiting --json')}`;

export function waitingCommand(): Command {
  const command = new Command('waiting')
    .description('list the versions that wait: drafts, and those in review (asks the service)')
    .option('--tool <name>', 'of this tool alone')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (options: WaitingOptions) => {
    const client = new CatalogClient(options);
    const tools = await waitingTools(client, options.tool);
    const items = await waitingVersions(client, tools);
    printAnswer(options, JSON.stringify({ items }, null, 2), () => [
      ...table(items.map(({ next: _next, digest, ...row }) => ({ ...row, digest: shortDigest(digest) }))),
      `${counted(items.length, 'version')} of ${counted(tools.length, 'tool')} ${items.length === 1 ? 'waits' : 'wait'}`,
      ...items.map(({ next }) => `next: ${next}`),
    ]);
  });
}

/** A version that waits, and the command that takes it further. */
interface WaitingVersion {
  readonly tool: string;
  readonly version: string;
  readonly state: string;
  /** Empty of those beyond what is read. */
  readonly digest: string;
  readonly toolId: string;
  readonly next: string;
}

/** Tools whose versions are read one by one for their digests. */
const MAX_READ = 100;

/** The versions of these tools that wait, each with the digest that its approval names. */
export async function waitingVersions(
  client: CatalogClient,
  tools: readonly WaitingTool[],
): Promise<readonly WaitingVersion[]> {
  const found: WaitingVersion[] = [];
  for (const [at, { toolId, name, inReview = [] }] of tools.entries()) {
    const digests =
      at < MAX_READ && inReview.length > 0 ? await digestsOf(client, toolId) : new Map<string, string>();
    const isOnly = tools.every((other) => other.name !== name || other.toolId === toolId);
    for (const { version, state } of inReview) {
      const next = stepFrom(state, { tool: isOnly ? name : toolId, version });
      const digest = digests.get(version) ?? '';
      found.push({ tool: name, version, state: state.replace('_', ' '), digest, toolId, next });
    }
  }
  return found;
}

async function digestsOf(client: CatalogClient, toolId: string): Promise<ReadonlyMap<string, string>> {
  const { items } = parsedAnswer(await client.request('GET', `/tools/${toolId}/versions`)) as {
    readonly items: readonly { readonly version: string; readonly digest: string }[];
  };
  return understood(() => new Map(items.map(({ version, digest }) => [version, digest])));
}

async function waitingTools(
  client: CatalogClient,
  name: string | undefined,
): Promise<readonly WaitingTool[]> {
  const tools: WaitingTool[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const query = new URLSearchParams({ inReview: 'true', active: 'all', limit: '200' });
    if (name !== undefined) query.set('name', name);
    if (cursor !== '') query.set('cursor', cursor);
    const page = parsedAnswer(await client.request('GET', `/tools?${query.toString()}`)) as Page;
    tools.push(...understood(() => [...page.items]));
    cursor = page.nextCursor;
  }
  return tools;
}

/** A version that an import has left in review. */
export interface VersionInReview {
  /** Absent where a dry run would make the tool. */
  readonly toolId?: string;
  readonly toolName: string;
  readonly version: string;
  readonly isNew: boolean;
}

/** Says how many changes wait for a review after an import, which, and where to look. */
export function inReviewLines(waiting: readonly VersionInReview[], most: number): string[] {
  const fresh = waiting.filter(({ isNew }) => isNew);
  const others = waiting.length - fresh.length;
  if (waiting.length === 0) return [];
  return [
    ...(fresh.length > 0
      ? [
          `  ${counted(fresh.length, 'version')} ${fresh.length === 1 ? 'waits' : 'wait'} for a review; agents go on with what they have:`,
          ...fresh
            .slice(0, most)
            .map(({ toolId = '', toolName, version }) => `    ${toolName} ${version}  ${toolId}`.trimEnd()),
          ...(fresh.length > most ? [`    … ${String(fresh.length - most)} more`] : []),
        ]
      : []),
    ...(others > 0 ? [`  ${counted(others, 'version')} waited before`] : []),
    `  next: ${program} registry desk, which shows what they change, and takes them further`,
  ];
}
