/**
 * Gateways as MCP servers: `server.json` of 2025-12-11 as the Registry API v0.1 answers it, and Server Cards (SEP-2127, v1).
 * Pure. https://github.com/modelcontextprotocol/registry (docs/reference), …/experimental-ext-server-card (schema.ts)
 */
import type { ShownGateway } from '../shown.js';
import { serverName, shortened } from './names.js';

const MAX_TEXT = 100;

function identity(origin: string, { name, title, description, version }: ShownGateway) {
  return {
    name: serverName(origin, name),
    title: shortened(title, MAX_TEXT),
    description: shortened(description, MAX_TEXT),
    version,
  };
}

function remote({ url, needsToken }: ShownGateway) {
  const authorization = {
    ...{ name: 'Authorization', description: 'Bearer token of this server.' },
    ...{ isRequired: true, isSecret: true },
  };
  return { type: 'streamable-http', url, ...(needsToken && { headers: [authorization] }) };
}

export function serverCard(origin: string, gateway: ShownGateway) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...identity(origin, gateway),
    remotes: [remote(gateway)],
  };
}

/** A server as lists of the registry hold it. There is one version at a time, so it is the latest. */
export function registryServer(origin: string, gateway: ShownGateway) {
  return {
    server: {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      ...identity(origin, gateway),
      remotes: [remote(gateway)],
    },
    _meta: {
      'io.modelcontextprotocol.registry/official': {
        status: 'active',
        // Each version is of one moment.
        ...{ publishedAt: gateway.updatedAt, updatedAt: gateway.updatedAt, isLatest: true },
      },
    },
  };
}

/** What is asked of the list. */
export interface ServersQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
  /** In UTC with milliseconds, as the catalog writes times. */
  readonly updated_since?: string;
  readonly version?: string;
}

/** A page of servers in the order of their names; the cursor is the name of the last one. */
export function registryServers(origin: string, gateways: readonly ShownGateway[], query: ServersQuery) {
  const { limit = 30, cursor, search, updated_since: since, version = 'latest' } = query;
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
  const sought = search?.toLowerCase() ?? '';
  const found = gateways.filter(
    (gateway) =>
      gateway.name > after &&
      serverName(origin, gateway.name).toLowerCase().includes(sought) &&
      (since === undefined || gateway.updatedAt >= since) &&
      (version === 'latest' || gateway.version === version),
  );
  const page = found.slice(0, limit);
  const nextCursor =
    found.length > page.length ? Buffer.from(page.at(-1)?.name ?? '').toString('base64url') : undefined;
  return {
    servers: page.map((gateway) => registryServer(origin, gateway)),
    metadata: { count: page.length, ...(nextCursor !== undefined && { nextCursor }) },
  };
}
