import { decodeJwt } from 'jose';
import type { Caller } from '../platform/auth/caller.js';
import { scopesOf } from '../platform/auth/claims.js';
import { authorizationOf, type Bearing, type TokenVerifier } from '../platform/auth/token-verifier.js';
import { Problem } from '../platform/http/problem.js';

/** The gateway instance that is played: exposure identity (contract 9). */
export interface GatewayIdentity {
  readonly gatewayId: string;
  readonly hostId: string;
  readonly envTag: string;
}

/** A verified caller, with all scopes of its token: those of APIs are the gateway's to check. */
export interface GatewayCaller extends Caller {
  readonly granted: readonly string[];
}

/**
 * Who sends a request; undefined where nobody says so and that is allowed. Tokens are those of the catalog's issuer, for
 * the gateway's host and environment; the services of agent and gateway are two and not compared. Throws Problem 401, 403.
 */
export async function callerOf(
  request: Bearing,
  { verifier, gateway, anonymous }: { verifier: TokenVerifier; gateway: GatewayIdentity; anonymous: boolean },
): Promise<GatewayCaller | undefined> {
  const authorization = authorizationOf(request);
  if (authorization === undefined && anonymous) return undefined;
  const caller = await verifier.callerOf(request);
  if (caller.hostId !== gateway.hostId || !caller.environments.includes(gateway.envTag))
    throw new Problem(
      403,
      'claim_mismatch',
      'The token is for another host or environment than this gateway.',
    );
  const granted = scopesOf(decodeJwt((authorization ?? '').replace(/^bearer +/i, '')));
  return { ...caller, granted };
}
