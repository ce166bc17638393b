import { Command } from 'commander';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { counted, exampleHelp, parsedAnswer, printAnswer, program, table, understood } from './output.js';

interface WaitingOptions extends ConnectionOptions {
  readonly tool?: string;
}

interface WaitingTool {
  readonly toolId: string;
  readonly name: string;
  readonly inReview: readonly { readonly version: string; readonly state: string }[];
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
    const tools = await waitingTools(new CatalogClient(options), options.tool);
    const rows = tools.flatMap(({ toolId, name, inReview }) =>
      inReview.map(({ version, state }) => ({ tool: name, version, state: state.replace('_', ' '), toolId })),
    );
    printAnswer(options, JSON.stringify({ items: rows }, null, 2), () => [
      ...table(rows),
      `${counted(rows.length, 'version')} of ${counted(tools.length, 'tool')} ${rows.length === 1 ? 'waits' : 'wait'}`,
      ...(rows.length > 0 ? [reportHint] : []),
    ]);
  });
}

const reportHint =
  'What a review rests on: GET …/tools/<toolId>/versions/<version>/report; then …/approve with its digest, or …/reject, with catalog:approve.';

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
    `  ${program} registry waiting lists them. ${reportHint}`,
  ];
}
