import { createHash } from 'node:crypto';
import { byCodePoint } from '../documents/json.js';

/** What a name is made of. */
export interface Nameable {
  /** Endpoint key; tells apart what else would have one name. */
  readonly key: string;
  /** What a tool of it is to be called, where the document says that. */
  readonly toolName?: string | undefined;
  /** Lower-case method and path: the name where there is no other. */
  readonly method: string;
  readonly path: string;
}

const MAX_LENGTH = 64;
const HASH_LENGTH = 9; // `_` and eight hex digits

/**
 * Names for tools: each fits `^[A-Za-z_][A-Za-z0-9_-]{0,63}$` and none is given twice. The rule goes over the operations ordered by
 * key, so the order of the document makes no difference: who has a fitting name of its own keeps it; of several with
 * one name the first by key keeps it; the others, and names that are too long, get a hash of their key.
 */
export function nameAll(operations: readonly Nameable[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const wanted = operations.map((operation) => ({ operation, name: wantedName(operation) }));
  const rank = ({ operation, name }: (typeof wanted)[number]) => (operation.toolName === name ? 0 : 1);
  wanted.sort((a, b) => rank(a) - rank(b) || byCodePoint(a.operation.key, b.operation.key));
  for (const { operation, name } of wanted) {
    const free =
      name.length <= MAX_LENGTH && !taken.has(name) ? name : makeUnique(name, operation.key, taken);
    taken.add(free);
    names.set(operation.key, free);
  }
  return names;
}

/** Names of arguments that every maker of models takes. */
const ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Names for the arguments of one tool that models refuse as they are, by those: `include[]` becomes `include`, `$top`
 * becomes `top`, `filter[status]` becomes `filter_status`. Different names stay different: one that fits is never given to another
 * argument, and of several that would have one name the first by code point has it, the others a hash of theirs.
 */
export function fitArguments(names: readonly string[]): ReadonlyMap<string, string> {
  const fits = (name: string): boolean => name !== '__proto__' && ARGUMENT.test(name);
  const taken = new Set(names.filter(fits));
  const fitted = new Map<string, string>();
  for (const name of names.filter((each) => !fits(each)).toSorted(byCodePoint)) {
    const plain = fitArgument(name);
    const isFree = ARGUMENT.test(plain) && !taken.has(plain);
    const free = isFree ? plain : makeUnique(plain || 'argument', name, taken);
    taken.add(free);
    fitted.set(name, free);
  }
  return fitted;
}

/** Drops accents, and what doesn't fit at the ends; every other run of characters that don't fit becomes one `_`. */
function fitArgument(name: string): string {
  const plain = withoutAccents(name === '__proto__' ? 'proto' : name);
  return plain.replace(/^[^\w.-]+|[^\w.-]+$/g, '').replace(/[^\w.-]+/g, '_');
}

/** Some makers of models refuse a name that begins with a digit or a dash. */
function wantedName({ toolName = '', method, path }: Nameable): string {
  const name = fit(toolName) || fit(`${method}_${fit(path)}`) || 'call';
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/** Drops accents; every other run of characters that don't fit becomes one `_`, none at the ends. */
function fit(text: string): string {
  if (text !== '__proto__' && /^[\w-]{1,64}$/.test(text)) return text;
  return withoutAccents(text)
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

const withoutAccents = (text: string): string =>
  text
    .slice(0, 1_000)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');

function makeUnique(name: string, key: string, taken: ReadonlySet<string>): string {
  for (let salt = 0; ; salt++) {
    const hash = shortHash(salt === 0 ? key : `${key}\n${String(salt)}`);
    const unique = `${name.slice(0, MAX_LENGTH - HASH_LENGTH).replace(/[_-]+$/, '')}_${hash}`;
    if (!taken.has(unique)) return unique;
  }
}

/** Hashes to the first 32 bits of a SHA-256, as 8 hex digits: tells apart what would else have one name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
