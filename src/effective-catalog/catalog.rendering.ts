/** The bytes in which a catalog goes out, and the tag that tells them apart (contract 7). Pure. */
import { canonicalJson, sha256Hex } from '../eventsourcing/canonical-json.js';
import type { Catalog, CatalogContent } from './catalog.document.js';

/** For how long an agent may go on with a catalog without asking whether it still holds. */
export const ttlSeconds = 60;

/** What is asked for beyond the plain catalog. */
export interface Wanted {
  /** The withheld tools with their reasons, and the diagnostics. */
  readonly withheld: boolean;
  /** Example prompts of each tool. */
  readonly examples: boolean;
  /** Names of the context at hand. */
  readonly context?: readonly string[] | undefined;
}

export interface Rendering {
  readonly catalogHash: string;
  readonly bytes: Buffer;
  /** Quoted. The catalog's hash, or the hash of the bytes where more than the plain catalog is asked for. */
  readonly etag: string;
}

/**
 * @param version the catalog's: outside the hash, as are the time to live and all that is optional
 */
export function render(catalog: Catalog, version: number, wanted: Wanted): Rendering {
  const content = canonicalJson(catalog.content);
  const catalogHash = sha256Hex(content);
  const more = {
    catalogVersion: version,
    catalogHash,
    ttlSeconds,
    ...(wanted.withheld && { withheld: catalog.withheld, diagnostics: catalog.diagnostics }),
  };
  const shown = wanted.examples ? canonicalJson(withExamples(catalog)) : content;
  const text = `${shown.slice(0, -1)},${canonicalJson(more).slice(1)}`;
  const plain = !wanted.withheld && !wanted.examples && wanted.context === undefined;
  return { catalogHash, bytes: Buffer.from(text), etag: `"${plain ? catalogHash : sha256Hex(text)}"` };
}

function withExamples({ content, examplePrompts }: Catalog): CatalogContent {
  const skills = content.skills.map((skill) => ({
    ...skill,
    tools: skill.tools.map((tool) => ({
      ...tool,
      examplePrompts: examplePrompts.get(skill.skillId)?.get(tool.toolId) ?? [],
    })),
  }));
  return { ...content, skills };
}
