/**
 * The size of the code: files, lines and the median file, source and tests apart; and the files of each noun, which are
 * what a new noun costs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = { source: ['src', 'packages'], tests: ['src', 'packages', 'test'], benches: ['bench'] };

/** Prints one line a part, and one for the nouns. */
export function printSize() {
  for (const [part, roots] of Object.entries(folders)) {
    const files = roots
      .flatMap(codeIn)
      .filter((file) => part === 'benches' || isTest(file) === (part === 'tests'));
    const lines = files
      .map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
      .sort((a, b) => a - b);
    const total = lines.reduce((sum, count) => sum + count, 0);
    console.log(
      `Size of ${part}: ${files.length} files, ${total} lines, median ${lines[lines.length >> 1]}.`,
    );
  }
  const source = folders.source.flatMap(codeIn).filter((file) => !isTest(file));
  const nouns = [...new Set(source.map(nounDeclaredIn).filter((noun) => noun !== undefined))].sort();
  const counts = nouns.map((noun) => [noun, source.filter((file) => nounOf(file, nouns) === noun).length]);
  console.log(`Files a noun: ${counts.map(([noun, count]) => `${noun} ${count}`).join(', ')}.`);
}

function codeIn(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => /\.(?:ts|tsx|mts)$/.test(file) && !/node_modules|\.d\.ts$|[\\/]dist[\\/]/.test(file));
}

function isTest(file) {
  return file.endsWith('.spec.ts') || file.startsWith('test');
}

/** The noun that a file declares, as a record, as a link or by its decider. */
function nounDeclaredIn(file) {
  return /([\w-]+)\.(?:record|link|decider)\.ts$/.exec(file)?.[1];
}

/** The noun that the name of a file begins with; of several the longest. */
function nounOf(file, nouns) {
  const name = file.replace(/.*[\\/]/, '').replace(/\..*/, '');
  const own = nouns.filter((noun) => [noun, `${noun}s`, noun.replace(/y$/, 'ies')].includes(name));
  return own[0] ?? nouns.filter((noun) => name.startsWith(`${noun}-`)).sort((a, b) => b.length - a.length)[0];
}
