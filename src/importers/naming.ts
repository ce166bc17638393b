import { byCodePoint } from '../documents/json.js';
import { shortHash } from './short-hash.js';

/** What a name is made of. */
export interface Nameable {
  /** Endpoint key; tells apart what else would have one name. */
  readonly key: string;
  /** Operation id or tool name, where the document has one. */
  readonly sourceName?: string | undefined;
  /** What a tool of it is to be called; where left out, its source name. */
  readonly toolName?: string | undefined;
  /** Lower-case method and path: the name where there is no other. */
  readonly method: string;
  readonly path: string;
}

const LONGEST = 64;
const HASH_LENGTH = 9; // `_` and eight hex digits

/**
 * Names for tools: each fits `^[A-Za-z0-9_-]{1,64}$` and none is given twice. The rule goes over the operations ordered by
 * key, so the order of the document makes no difference: who has a fitting name of its own keeps it; of several with
 * one name the first by key keeps it; the others, and names that are too long, get a hash of their key.
 */
export function nameAll(operations: readonly Nameable[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const wanted = operations.map((operation) => ({ operation, name: wish(operation) }));
  const rank = ({ operation, name }: (typeof wanted)[number]) => (ownName(operation) === name ? 0 : 1);
  wanted.sort((a, b) => rank(a) - rank(b) || byCodePoint(a.operation.key, b.operation.key));
  for (const { operation, name } of wanted) {
    const free = name.length <= LONGEST && !taken.has(name) ? name : makeUnique(name, operation.key, taken);
    taken.add(free);
    names.set(operation.key, free);
  }
  return names;
}

const ownName = ({ toolName, sourceName }: Nameable): string | undefined => toolName ?? sourceName;

function wish(operation: Nameable): string {
  const { method, path } = operation;
  const own = fit(ownName(operation) ?? '');
  if (own !== '') return own;
  return fit(`${method}_${fit(path)}`) || 'call';
}

/** Accents go, every other run of characters that don't fit becomes one `_`, none at the ends. */
function fit(text: string): string {
  if (text !== '__proto__' && /^[\w-]{1,64}$/.test(text)) return text;
  return text
    .slice(0, 1_000)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

function makeUnique(name: string, key: string, taken: ReadonlySet<string>): string {
  for (let salt = 0; ; salt++) {
    const hash = shortHash(salt === 0 ? key : `${key}\n${String(salt)}`);
    const unique = `${name.slice(0, LONGEST - HASH_LENGTH).replace(/[_-]+$/, '')}_${hash}`;
    if (!taken.has(unique)) return unique;
  }
}
