import type { CatalogOptions } from './agent-options.js';
import type { CatalogIdentity } from './catalog-document.js';
import { CatalogRefused } from './requests.js';

/** Claims of a token that say who an agent is; the service verifies them, here they are only read. */
const claims = {
  hostId: 'host',
  agentDefId: 'agent_def_id',
  serviceId: 'sid',
  envTag: 'env',
} as const satisfies Record<keyof CatalogIdentity, string>;

/**
 * Whose catalog is asked for: what is configured, and of the rest what the token says. Undefined where no agent is named.
 * Throws CatalogRefused where host, service or environment is not, and where token and configuration disagree: so would
 * the service, and this says why.
 */
export function identityOf(catalog: CatalogOptions, token: string): CatalogIdentity | undefined {
  const payload = payloadOf(token) ?? {};
  const identity: Partial<Record<keyof CatalogIdentity, string>> = {};
  for (const [name, claim] of Object.entries(claims) as [keyof CatalogIdentity, string][]) {
    const configured = said(catalog[name]);
    const claimed = typeof payload[claim] === 'string' ? payload[claim].trim() : undefined;
    // A token for all services says any.
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

/** Why this can't be a token that counts, as far as its bearer can see: who verifies it may know better. */
export function faultOfToken(token: string, now: number): string | undefined {
  const payload = payloadOf(token);
  if (payload === undefined) return 'The token for the catalog is no JWT.';
  const { exp = Infinity } = payload;
  if (typeof exp === 'number' && exp * 1000 > now) return undefined;
  return 'The token for the catalog has expired.';
}

/** What is blank is as good as left out: a variable of the environment that is not set, say. */
function said(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Limit of the token that changes what the same agent is given. */
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
