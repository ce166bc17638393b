/** The bytes of a catalog as they are sent, and their ETag (docs/contract.md, section 7). Pure. */
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.js';
import type { CatalogDocument, Wanted } from '../document.js';

/** For how long an agent may use a catalog without asking whether it has changed. */
const ttlSeconds = 60;

export interface CatalogBytes {
  readonly catalogHash: string;
  readonly bytes: Buffer;
  /** Quoted. The catalog's hash, or the hash of the bytes where more than the plain catalog is wanted. */
  readonly etag: string;
}

/**
 * @param version the catalog's: outside the hash, as are the time to live and all that is optional
 */
export function bytesOf(
  { content, shown, beside }: CatalogDocument,
  version: number,
  { withheld, examples, context }: Wanted,
): CatalogBytes {
  const hashed = canonicalJson(content);
  const catalogHash = sha256Hex(hashed);
  const body = shown === content ? hashed : canonicalJson(shown);
  const more = canonicalJson({ catalogVersion: version, catalogHash, ttlSeconds, ...beside });
  const text = `${body.slice(0, -1)},${more.slice(1)}`;
  const isPlain = !withheld && !examples && context === undefined;
  return { catalogHash, bytes: Buffer.from(text), etag: `"${isPlain ? catalogHash : sha256Hex(text)}"` };
}
