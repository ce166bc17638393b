/**
 * Names in code for names on the wire, which may be any text. The rules are the same for all languages, so that a tool is
 * called alike in each: who already has a fitting name keeps it, and of several that come to the same name all but the first
 * get eight hex digits of a hash of their own.
 */
import { createHash } from 'node:crypto';

const MAX_LENGTH = 60;
const HASH_LENGTH = 8;

const PYTHON_WORDS =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield';
const RUBY_WORDS =
  'BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield';
/** Names of files that Windows does not allow. */
const DEVICES = 'con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3';

const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(' ').split(' '));
const takenByPackages = words(PYTHON_WORDS.toLowerCase(), DEVICES, 'errors runtime');
/** The body of a method names this error, which a parameter would hide. */
const pythonParameters = words(PYTHON_WORDS, 'self additional_properties NotImplementedError');
const rubyParameters = words(RUBY_WORDS, 'additional_properties');

/** A name as words of `a-z0-9`, the first of which begins with a letter. */
export interface CodeName {
  readonly words: readonly string[];
}

export const snake = ({ words }: CodeName): string => words.join('_');
export const kebab = ({ words }: CodeName): string => words.join('-');
export const pascal = ({ words }: CodeName): string =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/** Names of tools, by their name on the wire; none is another's in any spelling. */
export function toolNames(wireNames: Iterable<string>): ReadonlyMap<string, CodeName> {
  const found = assignNames(wireNames, {
    nameOf: (wire) => {
      const name = wordsOf(wire, 'tool').join('_');
      return takenByPackages.has(name) ? `${name}_tool` : name;
    },
    keyOf: (name) => name.replaceAll('_', ''),
  });
  return new Map([...found].map(([wire, name]) => [wire, { words: name.split('_') }]));
}

/** Names of types beside others of a module, by what they are made of. */
export function typeName(wire: string): string {
  return pascal({ words: wordsOf(wire, 'type') });
}

/** Names of parameters, by their name on the wire. */
export function parameterNames(
  wireNames: Iterable<string>,
  language: 'python' | 'ruby',
): ReadonlyMap<string, string> {
  const fits = language === 'python' ? /^[A-Za-z][A-Za-z0-9_]*$/ : /^[a-z][A-Za-z0-9_]*$/;
  const reserved = language === 'python' ? pythonParameters : rubyParameters;
  const nameOf = (wire: string) => {
    const name = fits.test(wire) && wire.length <= MAX_LENGTH ? wire : identifier(wire, fits);
    return reserved.has(name) ? `${name}_` : name;
  };
  return assignNames(wireNames, { nameOf, keyOf: (name) => name });
}

function identifier(wire: string, fits: RegExp): string {
  const name = ascii(wire)
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_LENGTH);
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return fits.test(lower) ? lower : `argument_${lower}`.replace(/_$/, '');
}

interface Naming {
  nameOf(wire: string): string;
  /** What must not be the same twice. */
  keyOf(name: string): string;
}

function assignNames(wireNames: Iterable<string>, naming: Naming): ReadonlyMap<string, string> {
  const all = [...new Set(wireNames)].map((wire) => ({ wire, name: naming.nameOf(wire) }));
  all.sort((a, b) => Number(b.wire === b.name) - Number(a.wire === a.name) || byText(a.wire, b.wire));
  const keys = new Set<string>();
  const names = all.map(({ wire, name }) => {
    const unique = keys.has(naming.keyOf(name)) ? `${name}_${hashOf(wire)}` : name;
    keys.add(naming.keyOf(unique));
    return [wire, unique] as const;
  });
  return new Map(names);
}

/** Order by UTF-16 code units: all that is wanted is that it is always the same. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}

const ascii = (text: string): string =>
  text
    .slice(0, 1_000)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');

/** `getGitLabIssue`, `get-git-lab-issue`: get, git, lab, issue. */
function wordsOf(wire: string, otherwise: string): readonly string[] {
  const found = ascii(wire)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .join('_')
    .toLowerCase()
    .slice(0, MAX_LENGTH)
    .split('_')
    .filter((word) => word !== '');
  return /^[a-z]/.test(found[0] ?? '') ? found : [otherwise, ...found];
}
