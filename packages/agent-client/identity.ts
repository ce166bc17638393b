import type { CatalogOptions } from './agent-options.js';
import type { CatalogIdentity } from './catalog-document.js';
import { CatalogRefused } from './requests.js';

/** Claims with the identity of an agent, read without verification, which is the service's. */
const claims = {
  hostId: 'host',
  agentDefId: 'agent_def_id',
  serviceId: 'sid',
  envTag: 'env',
} as const satisfies Record<keyof CatalogIdentity, string>;

/**
 * Finds the identity of the agent: as configured, else from the token. Undefined where no agent is named. Throws
 * CatalogRefused where host, service or environment is missing, and where token and configuration disagree.
 */
export function identityOf(catalog: CatalogOptions, token: string): CatalogIdentity | undefined {
  const payload = payloadOf(token) ?? {};
  const identity: Partial<Record<keyof CatalogIdentity, string>> = {};
  for (const [name, claim] of Object.entries(claims) as [keyof CatalogIdentity, string][]) {
    const configured = said(catalog[name]);
    const claimed = typeof payload[claim] === 'string' ? payload[claim].trim() : undefined;
    // A token for all services fits any.
    if (configured !== undefined && claimed !== undefined && configured !== claimed && name !== 'serviceId')
      throw new CatalogRefused(
        `The catalog is configured with ${name} ${configured}, and the token's ${claim} is ${claimed}. Mend one of them.`,
      );
    const value = configured ?? claimed;
    if (value !== undefined) identity[name] = value;
  }
  const { hostId, agentDefId, serviceId, envTag } = identity;
  if (agentDefId === undefined) return undefined;
  if (hostId === undefined || serviceId === undefined || envTag === undefined) {
    const missing = (Object.keys(claims) as (keyof CatalogIdentity)[]).filter((name) => !identity[name]);
    throw new CatalogRefused(
      `The catalog can't be asked without ${missing.join(' and ')}: configure it, or use a token that says so.`,
    );
  }
  return { hostId, agentDefId, serviceId, envTag };
}

/** Finds faults of a token that can be seen without verification. */
export function faultOfToken(token: string, now: number): string | undefined {
  const payload = payloadOf(token);
  if (payload === undefined) return 'The token for the catalog is no JWT.';
  const { exp = Infinity } = payload;
  if (typeof exp === 'number' && exp * 1000 > now) return undefined;
  return 'The token for the catalog has expired.';
}

/** Takes blank values as missing, such as those of unset environment variables. */
function said(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Tier of the token, which the catalog depends on. */
export function tierOfToken(token: string): string {
  const { maxSensitivityTier: tier } = payloadOf(token) ?? {};
  return typeof tier === 'string' ? tier : '';
}

function payloadOf(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
