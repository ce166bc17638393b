import { isObject } from '../../documents/json.js';
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.js';

/**
 * What the catalog exports carries a seal in its metadata: where it came from, and the digest of what it said. A part
 * that comes back unaltered says nothing new: only what somebody has changed counts.
 */
type Part = Readonly<Record<string, unknown>>;

const MEMBER = 'portalExport';

/** The part with its seal under `metadata`. */
export function sealed(part: Part, apiVersionId: string): Record<string, unknown> {
  const metadata = { ...asPart(part['metadata']), [MEMBER]: { apiVersionId, digest: digestOf(part) } };
  return { ...part, metadata };
}

/** The API version that the part was exported from, where it is as it was then. */
export function exportedFrom(part: Part): string | undefined {
  const { apiVersionId, digest } = asPart(asPart(part['metadata'])[MEMBER]);
  if (typeof apiVersionId !== 'string' || typeof digest !== 'string') return undefined;
  return digest === digestOf(part) ? apiVersionId : undefined;
}

/** Of all but the seal: what is exported again may carry an older one. */
function digestOf(part: Part): string {
  const { [MEMBER]: _, ...metadata } = asPart(part['metadata']);
  return sha256Hex(canonicalJson({ ...part, metadata }));
}

function asPart(value: unknown): Part {
  return isObject(value) ? value : {};
}
