import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../platform/config/config.js';
import type { DiscoveryHost } from '../platform/config/discovery-hosts.js';
import { Problem } from '../platform/http/problem.js';
import { isNotModified } from '../platform/http/write-context.js';
import { PublicCatalogs, type Asker, type ShownHost } from './public-catalogs.service.js';

/** What is found at an address. */
export interface Found extends ShownHost {
  readonly origin: string;
}

/** A body, and what it is. */
export interface Body {
  readonly type: string;
  /** JSON where it is no bytes; undefined where there is nothing. */
  readonly body: object | undefined;
}

/** For pages of any site: what is answered without a token is public, and a token is never sent by a browser itself. */
export const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, If-None-Match, A2A-Version, MCP-Protocol-Version',
  'access-control-expose-headers': 'ETag',
} as const;

/** Answers requests about what is public: of which host they are, who asks, and with which headers. */
@Injectable()
export class DiscoveryReply {
  constructor(
    private readonly catalogs: PublicCatalogs,
    @Inject(CONFIG) private readonly config: Pick<Config, 'discoveryHosts'>,
  ) {}

  /**
   * Sends what `make` makes of what is shown, with its ETag. Throws Problem 404 alike where the address is no host’s, the host has
   * switched discovery off, and there is nothing of that name; 403 where the token is of another host.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    make: (found: Found) => Body | Promise<Body>,
  ): Promise<void> {
    void reply.headers({ ...crossOrigin, vary: 'Authorization', 'x-content-type-options': 'nosniff' });
    const found = await this.find(request);
    const { type, body } = await make(found);
    if (body === undefined) throw nothing();
    const bytes = body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
    const etag = `"${hash('sha256', bytes, 'base64url')}"`;
    const isPublic = request.caller === null;
    void reply.headers({ etag, 'cache-control': isPublic ? 'public, no-cache' : 'private, no-cache' });
    if (isNotModified(request.headers['if-none-match'], etag)) void reply.code(304).send();
    else void reply.type(type).send(bytes);
  }

  private async find(request: FastifyRequest): Promise<Found> {
    const host = this.hostOf(request);
    const shown = host && (await this.catalogs.shownOf(host.hostId, await askerOf(request)));
    if (host === undefined || shown === undefined) throw nothing();
    return { ...shown, origin: host.origin };
  }

  private hostOf({ headers: { host = '' }, caller }: FastifyRequest): DiscoveryHost | undefined {
    const name = host.toLowerCase();
    const hosts = this.config.discoveryHosts;
    // Some clients name the port that goes without saying.
    const found = hosts.get(name) ?? hosts.get(name.replace(/:(80|443)$/, ''));
    if (found === undefined || caller === null || caller.hostId === found.hostId) return found;
    const detail = 'The token’s claim host does not cover the host of this address.';
    throw new Problem(403, 'host_not_covered', detail);
  }
}

async function askerOf({ caller, visibility }: FastifyRequest): Promise<Asker | undefined> {
  return caller === null || visibility === null ? undefined : { caller, visibility: await visibility() };
}

/** The same whatever the reason: nobody learns from it what there is. */
export function nothing(): Problem {
  return new Problem(404, 'not_found', 'Nothing is public here under this name.');
}
