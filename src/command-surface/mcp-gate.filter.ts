/** What stands in front of `/mcp`: where requests may come from, and where tokens do. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../platform/config/config.js';
import { Problem } from '../platform/http/problem.js';

type GateSettings = Pick<Config, 'host' | 'tokens' | 'publicUrl'>;
interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly protocol: string;
}

export const metadataPath = '/.well-known/oauth-protected-resource';
const scopes = ['catalog:agent', 'catalog:read', 'catalog:write', 'catalog:admin'];
/** Host and port, and nothing else that an address may hold (RFC 9110, 7.2). */
const plainHost = /^[^/?#@\\]+$/;
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Throws Problem 403: a page of another origin, or a name that was bound to this address, must not speak for its user. */
export function refuseForeign({ host, origin }: IncomingHttpHeaders, settings: GateSettings): void {
  const own = plainHost.test(host ?? '') ? hostnameOf(`http://${host ?? ''}`) : undefined;
  const known = [...(settings.publicUrl === undefined ? [] : [settings.publicUrl.hostname])];
  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(settings.host);
  if (own === undefined || (isLocal && ![...loopback, ...known].includes(own))) {
    throw new Problem(403, 'host_not_allowed', 'The Host of the request is not one of this service.');
  }
  if (origin === undefined) return;
  const from = hostnameOf(origin);
  if (from === undefined || ![own, ...known].includes(from)) {
    throw new Problem(403, 'origin_not_allowed', 'Pages of this Origin may not call /mcp.');
  }
}

/** RFC 9728: what this resource is, and who gives tokens for it. */
export function resourceMetadata(request: Asked, settings: GateSettings): object {
  const { tokens } = settings;
  return {
    resource: addressOf(request, settings, '/mcp'),
    resource_name: 'Portal catalog',
    authorization_servers: [tokens.kind === 'issuer' ? tokens.issuer : addressOf(request, settings, '')],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };
}

/** Adds to a refusal of a token where its holder learns what is wanted (RFC 9728, 5.1). */
export function challenged(error: unknown, request: Asked, settings: GateSettings): unknown {
  if (!(error instanceof Problem) || ![401, 403].includes(error.status)) return error;
  const challenge = error.headers['www-authenticate'];
  if (challenge === undefined) return error;
  const more = [
    `resource_metadata="${addressOf(request, settings, `${metadataPath}/mcp`)}"`,
    ...(challenge.includes('scope=') ? [] : ['scope="catalog:agent"']),
  ];
  const headers = { ...error.headers, 'www-authenticate': [challenge, ...more].join(', ') };
  return new Problem(error.status, error.code, error.message, { faults: error.faults, headers });
}

function addressOf({ headers, protocol }: Asked, { publicUrl }: GateSettings, path: string): string {
  const base = publicUrl?.href ?? `${protocol}://${headers.host ?? 'localhost'}/`;
  return base.replace(/\/$/, '') + path;
}

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
