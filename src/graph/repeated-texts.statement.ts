import { LRUCache } from 'lru-cache';
import { statementName } from '../eventsourcing/prepared-sql.js';

/** Times that a text is sent before a connection keeps its plan; texts that are remembered; texts that are kept. */
const enough = 3;
const mostSeen = 500;
const mostKept = 32;

const seen = new LRUCache<string, number>({ max: mostSeen });
const kept = new Set<string>();

/**
 * The name under which a text is prepared: of a small query planning is most of the work, and portals and runbooks send
 * the same few texts. Undefined for what is new or seldom, and where so many are kept already: a plan of many views is
 * not small, and each connection has its own.
 */
export function nameOfRepeated(text: string): string | undefined {
  if (kept.has(text)) return statementName(text);
  const times = (seen.get(text) ?? 0) + 1;
  seen.set(text, times);
  if (times < enough || kept.size === mostKept) return undefined;
  seen.delete(text);
  kept.add(text);
  return statementName(text);
}
