import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { v7 } from 'uuid';
import { documentOf } from './catalog-of-tools.js';
import { report } from './harness.js';
import { asking, startService, type Ask, type Service } from './programs.js';

const prompt = 'find thing 7 by its number, with its last readings';

interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
}

/**
 * What a model is charged for each surface, in tokens (o200k_base): what it reads before it does anything, and what
 * the way to one tool adds. The baseline is all tools of the catalog, listed directly.
 */
export async function benchTokens(): Promise<void> {
  const service = await startService();
  try {
    for (const size of [20, 200, 2_000]) await measure(service, size);
  } finally {
    await service.stop();
  }
}

async function measure(service: Service, size: number): Promise<void> {
  const host = v7();
  const ask = asking(service.address, host, await service.token(host));
  const version = { apiVersion: '1', serviceId: 'bench-api', envTag: 'dev' };
  const document = documentOf(size);
  await ask('POST', '/imports', { api: { apiId: 'bench' }, version, document, publish: true });
  const all = toolTokens(await everyTool(ask));
  const tell = (bench: string, figure: number, baseline = all): void => {
    report({ bench: `${bench}, ${String(size)} tools`, figure, unit: 'tokens', baseline });
  };
  tell('all tools listed directly', all);
  const [direct, surface] = [await connect(service, host, false), await connect(service, host, true)];
  const invoke = (command_name: string, parameters: object): Promise<number> =>
    exchange(surface, 'invoke_command', { command_name, parameters });
  tell('the commands listed directly', toolTokens((await direct.listTools()).tools));
  const two = toolTokens((await surface.listTools()).tools);
  tell('two-tool surface', two);
  const found = async (format: 'raw' | 'llm'): Promise<number> => {
    const command_names = ['search_tools', 'get_tool'];
    const listed = await exchange(surface, 'list_commands', { command_names, format });
    const searched = await invoke('search_tools', { prompt, limit: 5, format });
    return two + listed + searched + (await invoke('get_tool', { name: 'getThing7', format }));
  };
  tell('two-tool surface, search and the tool found, raw', await found('raw'));
  tell('two-tool surface, search and the tool found, llm', await found('llm'));
  for (const [name, parameters] of [
    ['search_tools', { prompt, limit: 5 }],
    ['find_nodes', { entity: 'Tool', limit: 30 }],
    ['get_graph_schema', { expand_nodes: ['Tool'] }],
    ['get_query_dsl', {}],
    ['get_response_format', {}],
    ['get_tool', { name: 'getThing7' }],
  ] as const) {
    const [llm, raw] = [await invoke(name, parameters), await invoke(name, { ...parameters, format: 'raw' })];
    tell(`answer of ${name}, llm against raw`, llm, raw);
  }
  await Promise.all([direct.close(), surface.close()]);
}

/** As a gateway would list them. */
async function everyTool(ask: Ask): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor !== undefined && { cursor }) });
    const page = await ask<{ items: { toolId: string }[]; nextCursor?: string }>(
      'GET',
      `/tools?${query.toString()}`,
    );
    const whole = page.items.map(({ toolId }) => ask<ListedTool>('GET', `/tools/${toolId}`));
    tools.push(...(await Promise.all(whole)));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

async function connect(service: Service, host: string, commandTools: boolean): Promise<Client> {
  const token = await service.token(host, { scope: 'catalog:read', sid: 'bench-api', commandTools });
  const client = new Client(
    { name: 'bench', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.address), { requestInit }));
  return client;
}

/** What hosts give models of a list: name, description and parameters. */
function toolTokens(tools: readonly ListedTool[]): number {
  const sent = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return countTokens(JSON.stringify(sent));
}

/** Of the call that the model writes, and of the text that it reads. */
async function exchange(client: Client, name: string, parameters: Record<string, unknown>): Promise<number> {
  const { content, isError } = await client.callTool({ name, arguments: parameters });
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (isError === true) throw new Error(`${name}: ${texts.join('\n')}`);
  return countTokens(JSON.stringify({ name, arguments: parameters })) + countTokens(texts.join('\n'));
}
