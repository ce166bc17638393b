/** Reads what others offer: lists of an MCP Registry, A2A cards of 1.0 and 0.3, and indexes of agent skills. Pure. */
import { isObject, listMember, member, objectMember, textMember, type Json } from '../../documents/json.js';
import { isFolderName } from '../../documents/skill-md.js';
import {
  MAX_DESCRIPTION,
  MAX_NAME,
  offersOf,
  lineOf,
  webAddress,
  type Offer,
  type Offered,
} from './offer.js';

/** Undefined where the document is none of them. */
export function readSource(document: Json, at: URL): Offered | undefined {
  if (Array.isArray(member(document, 'servers'))) return registryList(document, at);
  if (isServer(member(document, 'server')) || isServer(document)) return registryOf([document], at, null);
  if (isCard(document)) return { source: 'a2a-card', offers: [cardOffer(document, at)], next: null };
  if (Array.isArray(member(document, 'skills'))) return skillsOffered(document, at);
  return undefined;
}

function isServer(value: Json | undefined): boolean {
  const isNamed = textMember(value, 'name')?.includes('/') === true;
  return isNamed && (Array.isArray(member(value, 'remotes')) || Array.isArray(member(value, 'packages')));
}

function registryList(document: Json, at: URL): Offered {
  const cursor = textMember(objectMember(document, 'metadata'), 'nextCursor') ?? '';
  const next = new URL(at);
  next.searchParams.set('cursor', cursor);
  return registryOf(listMember(document, 'servers'), at, cursor === '' ? null : next.href);
}

function registryOf(servers: readonly Json[], at: URL, next: string | null): Offered {
  return { source: 'mcp-registry', offers: offersOf(servers, (each) => serverOffer(each, at)), next };
}

const official = 'io.modelcontextprotocol.registry/official';

/** The latest version alone; what its registry has deleted is none. */
function serverOffer(response: Json, at: URL): Offer | undefined {
  const server = member(response, 'server') ?? response;
  const meta = objectMember(objectMember(response, '_meta'), official);
  if (member(meta, 'isLatest') === false || textMember(meta, 'status') === 'deleted') return undefined;
  const remotes = listMember(server, 'remotes').filter(
    (each) => textMember(each, 'type') === 'streamable-http',
  );
  const fixed = remotes
    .map((each) => textMember(each, 'url'))
    .filter((url) => url !== undefined && !/[{}]/.test(url));
  const url = fixed.map((each) => webAddress(each, at)).find((each) => each !== undefined);
  return {
    ...{ kind: 'gateway', name: lineOf(server, 'name', MAX_NAME), url: url ?? null, digest: null },
    fault: url === undefined ? serverFault(remotes.length > 0) : null,
    description: lineOf(server, 'description', MAX_DESCRIPTION),
    version: textMember(server, 'version')?.slice(0, MAX_NAME) ?? null,
  };
}

function serverFault(hasRemotes: boolean): string {
  return hasRemotes
    ? 'Its address is made of variables: register the gateway with the address that you have.'
    : 'It is called by nothing that the catalog speaks: it has no remote of the type streamable-http.';
}

function isCard(document: Json): boolean {
  const isAddressed =
    Array.isArray(member(document, 'supportedInterfaces')) || textMember(document, 'url') !== undefined;
  return (
    isAddressed && isObject(member(document, 'capabilities')) && textMember(document, 'name') !== undefined
  );
}

/** 1.0 lists its interfaces, 0.3 has one address at its top. */
function cardOffer(card: Json, at: URL): Offer {
  const addresses = listMember(card, 'supportedInterfaces').map((each) => textMember(each, 'url'));
  const [url] = [...addresses, textMember(card, 'url')].flatMap((each) =>
    each === undefined ? [] : (webAddress(each, at) ?? []),
  );
  return {
    ...{ kind: 'agent', name: lineOf(card, 'name', 128), url: url ?? null, digest: null },
    description: lineOf(card, 'description', MAX_DESCRIPTION),
    version: textMember(card, 'version')?.slice(0, 16) ?? null,
    fault: url === undefined ? 'The card names no address of the web at which the agent answers.' : null,
  };
}

const digestShape = /^sha256:[0-9a-f]{64}$/;

function skillsOffered(document: Json, at: URL): Offered {
  const offers = offersOf(listMember(document, 'skills'), (skill) => skillOffer(skill, at));
  return { source: 'agent-skills', offers, next: null };
}

function skillOffer(skill: Json, at: URL): Offer {
  const name = lineOf(skill, 'name', 64);
  const url = webAddress(textMember(skill, 'url'), at);
  const digest = textMember(skill, 'digest') ?? '';
  const fault = skillFault({ name, type: textMember(skill, 'type'), url, digest });
  return {
    ...{ kind: 'skill', name, url: url ?? null, version: null, fault },
    description: lineOf(skill, 'description', MAX_DESCRIPTION),
    digest: digestShape.test(digest) ? digest : null,
  };
}

function skillFault({
  name,
  type,
  url,
  digest,
}: Readonly<Record<string, string | undefined>>): string | null {
  if (!isFolderName(name ?? '')) return 'Its name is none that a skill may have.';
  if (type !== 'skill-md' && type !== 'archive')
    return 'It is of a type that version 0.2.0 of the index does not know.';
  if (url === undefined) return 'It names no address of the web.';
  return digestShape.test(digest ?? '')
    ? null
    : 'It has no SHA-256 digest, so nobody can tell whether it is what was meant.';
}
