import { cleanDocument } from '../clean-document.js';
import { importLimits } from '../import-limits.js';
import type { Json } from '../imported.js';
import { WarningLog } from '../warning-log.js';
import { readYaml } from './read-yaml.js';

/** What a text may cost that is read where it arrives: some 50 ms at most. */
const limits = { ...importLimits, bytes: 128 * 1024, depth: 60, nodes: 20_000 };

/** Bytes of the longest text that is read here. Longer ones belong into a worker. */
export const longestYaml = limits.bytes;

/**
 * Parses YAML that somebody wrote by hand, into plain JSON: a tree within limits, what aliases repeat included, with no
 * key twice in one place.
 *
 * @throws UnreadableDocument with line and column
 */
export function parseYaml(text: string): Json {
  return cleanDocument(readYaml(text, limits), limits, new WarningLog());
}
