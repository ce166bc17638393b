import { Command } from 'commander';
import { v7 } from 'uuid';
import { folderName, isFolderName } from '../documents/skill-md.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { CliFault, exampleHelp, exitCodes, parsedAnswer, printAnswer, table } from './output.js';

interface LookOptions extends ConnectionOptions {
  readonly take?: readonly string[];
  readonly env?: string;
  readonly service?: string;
}

/** What a source offers, as `POST …/imports/look` answers it. */
interface Offer {
  readonly kind: 'agent' | 'gateway' | 'skill';
  readonly name: string;
  readonly description: string;
  readonly version: string | null;
  readonly url: string | null;
  readonly fault: string | null;
  readonly content: { readonly mediaType: string; readonly base64: string } | null;
}

interface Looked {
  readonly source: string;
  readonly items: readonly Offer[];
  readonly next: string | null;
}

export function lookCommand(): Command {
  const command = new Command('look')
    .description('look at what a registry, an agent card or an index of skills offers, and take it in')
    .argument('<address>', 'of a list of an MCP Registry, an A2A agent card, or an index of agent skills')
    .option('--take <names...>', 'take these in: MCP servers as gateways, agents, skills')
    .option('--env <tag>', 'environment of gateways and agents (default: the token’s, where that names one)')
    .option('--service <serviceId>', 'service of a gateway or an agent (default: its name)')
    .addHelpText(
      'after',
      exampleHelp(
        'look https://registry.example.com/v0.1/servers',
        'look https://example.com/.well-known/agent-skills/index.json --take refunds',
      ),
    );
  return connectionOptions(command).action(async (address: string, options: LookOptions) => {
    const client = new CatalogClient(options);
    const names = options.take ?? [];
    const wanted = await lookedAt(client, address, names);
    for (const name of names) refuseUnfit(parsedAnswer(wanted) as Looked, name);
    if (names.length === 0) {
      printAnswer(options, wanted, described);
      return;
    }
    const taken: object[] = [];
    for (const offer of (parsedAnswer(wanted) as Looked).items)
      if (names.includes(offer.name)) taken.push(await takeIn(client, offer, options));
    printAnswer(options, JSON.stringify({ items: taken }), (text) =>
      table((parsedAnswer(text) as { items: Record<string, unknown>[] }).items),
    );
  });
}

/** Skills are fetched by their names; what else is taken in needs no more than was seen. */
function lookedAt(client: CatalogClient, url: string, names: readonly string[]): Promise<string> {
  const skills = names.filter(isFolderName);
  return client.request('POST', '/imports/look', { url, ...(skills.length > 0 && { skills }) });
}

function refuseUnfit({ items }: Looked, name: string): void {
  const found = items.find((each) => each.name === name);
  if (found === undefined)
    throw new CliFault(exitCodes.refused, `Nothing there has the name ${name}. Nothing was taken in.`);
  if (found.fault !== null)
    throw new CliFault(exitCodes.refused, `${name} can’t be taken in: ${found.fault} Nothing was taken in.`);
}

function described(text: string): string[] {
  const { source, items, next } = parsedAnswer(text) as Looked;
  if (items.length === 0) return [`It is an ${source}, and offers nothing.`];
  const rows = items.map(({ kind, name, version, description, fault }) => ({
    ...{ kind, name, version: version ?? '', description, 'can’t be taken in': fault ?? '' },
  }));
  return [...table(rows), ...(next === null ? [] : [`There are more: portal-catalog look "${next}"`])];
}

/** Makes what the offer would be here, or changes the skill of that name. */
async function takeIn(client: CatalogClient, offer: Offer, options: LookOptions): Promise<object> {
  const { kind, name } = offer;
  if (offer.content !== null) {
    const { mediaType, base64 } = offer.content;
    const answer = await client.upload('/skills/import', mediaType, Buffer.from(base64, 'base64'));
    return { kind, name, id: idIn(answer) };
  }
  const id =
    kind === 'agent' ? await makeAgent(client, offer, options) : await makeGateway(client, offer, options);
  return { kind, name, id };
}

const MAX_SERVICE = 255;

async function makeGateway(
  client: CatalogClient,
  { name, url }: Offer,
  options: LookOptions,
): Promise<string> {
  const envTag = options.env ?? client.claims.envTag;
  if (envTag === undefined)
    throw new CliFault(exitCodes.usage, 'Say in which environment the gateway is: --env <tag>.');
  const serviceId = (options.service ?? name).slice(0, MAX_SERVICE);
  return idIn(await client.request('PUT', `/gateways/${v7()}`, { serviceId, envTag, url }));
}

/** An agent is an API version of the type agent; its profile takes the defaults. */
async function makeAgent(client: CatalogClient, offer: Offer, options: LookOptions): Promise<string> {
  const apiId = folderName(offer.name);
  const envTag = options.env ?? client.claims.envTag;
  const api = { apiId, apiName: offer.name, apiDesc: offer.description };
  await client.request('POST', '/apis', api);
  const id = idIn(
    await client.request('POST', `/apis/${apiId}/versions`, {
      ...{ apiVersion: offer.version ?? '1.0.0', apiType: 'agent', serviceId: options.service ?? apiId },
      ...(envTag !== undefined && { envTag }),
      apiVersionDesc: `A2A: ${offer.url ?? ''}`,
    }),
  );
  await client.request('PUT', `/agents/${id}`, {});
  return id;
}

const idIn = (answer: string): string => (parsedAnswer(answer) as { readonly id: string }).id;
