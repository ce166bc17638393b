import { approvalReasons, type Guarded, unapprovedByItself } from '../../packages/tool-guard/tool-guard.js';
import { exceeds, type Tier } from '../platform/auth/sensitivity-tier.js';
import { type Fault, Invalid } from '../kernel/errors.js';
import { findSecrets } from '../platform/validation/secrets.js';

/** Why a gateway refuses to list or call a tool, in the order in which the reasons are tried. */
export const policyReasons = ['sensitivity_tier_exceeds_policy', ...approvalReasons] as const;
export type PolicyReason = (typeof policyReasons)[number];

/** The part of a tool that a gateway's policy reads. */
export interface Governed {
  readonly tier: Tier;
  readonly metadata: {
    readonly safety?: Guarded & { readonly approvalWorkflow?: string | undefined };
  };
}

/** Why a gateway's own policy blocks a tool: only the gateway's tier and the tool's own approval count. */
export function blockedBy(
  { tier, metadata: { safety = {} } }: Governed,
  maxTier: Tier,
): PolicyReason | undefined {
  if (exceeds(tier, maxTier)) return 'sensitivity_tier_exceeds_policy';
  return unapprovedByItself(safety);
}

/** An address within a body. */
export interface PlacedAddress {
  readonly pointer: string;
  readonly address: string;
}

/**
 * Refuses a body with an address that is none of http or https, or with what looks like a secret: Invalid
 * `invalid_body`, `secret_in_body`. Whether the service may connect to an address is another question, asked at every
 * connection.
 */
export async function refuseUnfitAddresses(body: object, addresses: readonly PlacedAddress[]): Promise<void> {
  const [secret] = await findSecrets(JSON.stringify(body));
  if (secret !== undefined) {
    const detail = `The body holds what looks like a secret (${secret.kind}). Put it into SECRETS_DIR, and name it.`;
    throw new Invalid('secret_in_body', detail);
  }
  const faults = addresses.flatMap(({ pointer, address }): Fault[] => {
    const detail = faultOf(address);
    return detail === undefined ? [] : [{ pointer, detail }];
  });
  if (faults.length > 0) throw new Invalid('invalid_body', 'The body can’t be accepted.', faults);
}

function faultOf(address: string): string | undefined {
  if (!URL.canParse(address)) return 'must be an absolute address, like https://gateway.example.com/mcp';
  const { protocol, username, password, hash } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://';
  if (username !== '' || password !== '') return 'must not hold credentials: name a secret instead';
  return hash === '' ? undefined : 'must not hold a fragment (#…)';
}
