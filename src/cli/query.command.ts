import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { Command } from 'commander';
import { CliFault, exitCodes, parsedAnswer, printAnswer, table, understood } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { idOf } from './named-record.js';
import { nouns } from './nouns.js';
import { filledQuery, namedQueries, readTexts } from './named-queries.js';

interface QueryOptions extends ConnectionOptions {
  readonly named?: string;
  readonly param: readonly string[];
  readonly list?: boolean;
  readonly agent?: string;
  readonly folder?: string;
  readonly limit?: string;
  readonly after?: string;
}

const examples = `
At a terminal it answers with a table; elsewhere with TOON, which is made for models; with --json as the service does.

Examples:
  Which queries are at hand, and what do they take?
    $ portal-catalog query --list
  What breaks if an endpoint goes away?
    $ portal-catalog query --named what-breaks-without-endpoint --param endpointId=0192f0c4-…
  All that a kept query finds, and the rest of what was more than a page:
    $ portal-catalog query --named tools-without-a-skill --json --limit 1000
    $ portal-catalog query --named tools-without-a-skill --after <next_cursor>
  A query of your own, as JSON; GET …/graph/dsl describes the language, GET …/graph/schema what can be asked for:
    $ echo '{"query_type": "traversal", "nodes": [{"id": "t", "entity": "Tool"}]}' | portal-catalog query -`;

export function queryCommand(): Command {
  const command = new Command('query')
    .description('ask the catalog as a graph')
    .argument('[file]', 'query as JSON; - reads it from the input')
    .option('--named <name>', 'a query that is kept')
    .option('--param <name=value>', 'value of a parameter; several times', gathered, [])
    .option('--list', 'the queries that are kept')
    .option('--folder <folder>', 'where your own queries are kept, as YAML like those of this program')
    .option('--limit <rows>', 'maximum of rows: up to 30, with --json up to 1000')
    .option('--after <cursor>', 'next_cursor of the page before')
    .option('--agent <agent>', 'only what this agent’s catalog discloses: its id or its name')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (file: string | undefined, options: QueryOptions) => {
    if (options.list) {
      await list(options);
      return;
    }
    const query = paged(await queryOf(file, options), options);
    const client = new CatalogClient(options);
    const body = {
      query,
      format: options.json || options.yaml || process.stdout.isTTY ? 'raw' : 'llm',
      ...(options.agent !== undefined && { agentDefId: await idOf(client, nouns.agent, options.agent) }),
    };
    if (options.json || options.yaml) {
      const answer = await client.request('POST', '/graph/query', body);
      understood(() => (parsedAnswer(answer) as GraphAnswer).nodes.length);
      printAnswer(options, answer, () => []);
    } else if (body.format === 'raw')
      printAnswer({}, await client.request('POST', '/graph/query', body), (text) =>
        graphTable(JSON.parse(text) as GraphAnswer),
      );
    else printAnswer({}, await client.requestText('POST', '/graph/query', body), (text) => text.split('\n'));
  });
}

function gathered(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

async function list({ json, folder }: QueryOptions): Promise<void> {
  const kept = await namedQueries(folder);
  printAnswer({ json }, JSON.stringify(kept), () =>
    kept.flatMap(({ name, description, parameters }) => [
      `${name}: ${description}`,
      ...Object.entries(parameters).map(
        ([parameter, about]) => `  --param ${parameter}=…  ${about.description}`,
      ),
    ]),
  );
}

/** Adds the page to the query. */
function paged(query: unknown, { limit, after }: QueryOptions): unknown {
  if (limit === undefined && after === undefined) return query;
  if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit))
    throw new CliFault(exitCodes.usage, `--limit ${limit} is no number of rows from 1 to 1000.`);
  const { cursor, ...rest } = query as { readonly cursor?: object };
  return {
    ...rest,
    cursor: {
      ...cursor,
      ...(limit !== undefined && { page_size: Number(limit) }),
      ...(after !== undefined && { after }),
    },
  };
}

async function queryOf(file: string | undefined, { named, param, folder }: QueryOptions): Promise<unknown> {
  if ((file === undefined) === (named === undefined)) {
    throw new CliFault(
      exitCodes.usage,
      'Give a file with a query, or --named; --list names those that are kept.',
    );
  }
  if (named === undefined) return readQueryFile(file ?? '-');
  const kept = (await namedQueries(folder)).find(({ name }) => name === named);
  if (kept === undefined)
    throw new CliFault(exitCodes.usage, `No query ${named} is kept; --list names them.`);
  return filledQuery(kept, readTexts(kept, Object.fromEntries(param.map(pairOf))));
}

function pairOf(text: string): [string, string] {
  const [name = '', ...value] = text.split('=');
  if (value.length === 0) throw new CliFault(exitCodes.usage, `--param ${text} is no name=value.`);
  return [name, value.join('=')];
}

async function readQueryFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(file === '-' ? await textOf(process.stdin) : await readFile(file, 'utf8'));
  } catch (error) {
    throw new CliFault(
      exitCodes.usage,
      `The query can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

type Row = Readonly<Record<string, unknown>>;

interface GraphAnswer {
  readonly nodes: readonly Row[];
  readonly rows?: readonly unknown[];
  readonly columns?: readonly unknown[];
  readonly edges: readonly Row[];
  readonly pagination: {
    readonly has_more: boolean;
    readonly total_rows: number | null;
    readonly next_cursor?: string;
  };
}

/** Prints nodes by kind, then edges; the rows of an aggregation. */
export function graphTable({ nodes, edges, rows, pagination }: GraphAnswer): string[] {
  const kinds = [...new Set(nodes.map(({ type }) => String(type)))];
  const blocks = [
    ...kinds.map((kind) => nodes.filter(({ type }) => String(type) === kind)),
    edges,
    ...(nodes.length === 0 && edges.length === 0 && rows !== undefined ? [rows.map(recordOf)] : []),
  ];
  const lines = blocks.filter((block) => block.length > 0).flatMap((block) => [...table(block), '']);
  const more = pagination.has_more ? [`More: --after ${pagination.next_cursor ?? ''}`] : [];
  return lines.length === 0 ? ['Nothing was found.'] : [...lines.slice(0, -1), ...more];
}

function recordOf(row: unknown): Row {
  return typeof row === 'object' && row !== null ? (row as Row) : { value: row };
}
