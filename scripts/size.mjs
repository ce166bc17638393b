/**
 * The size of the code, held to scripts/budget.json: files and lines of source and tests, the files of each noun, which are what a new
 * noun costs, the names that each door of a slice hands out, and the processor time of `npm test`. A commit that needs more changes
 * the budget, and says why in its message.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './set-up.mjs';

const parts = {
  source: ['src', 'packages'],
  portal: ['ui/src'],
  tests: ['src', 'packages', 'test', 'soak'],
  benches: ['bench'],
};
/** Where `npm test` leaves its processor time for the next check. */
const weightFile = join(root, 'node_modules', '.cache', 'npm-test.json');

/** Prints the size; gives 1 where it is over the budget. */
export function checkSize() {
  const size = measuredSize();
  const budget = JSON.parse(readFileSync(join(root, 'scripts', 'budget.json'), 'utf8'));
  for (const [part, { files, lines }] of Object.entries(size.parts))
    console.log(`Size of ${part}: ${files} files, ${lines} lines.`);
  console.log(`Files a noun: ${listed(size.nouns)}.`);
  console.log(`Names of the widest doors: ${listed(largest(size.doors, 8))}.`);
  const over = [
    ...Object.keys(parts).flatMap((part) => exceeded(size.parts[part], budget.parts[part], part)),
    ...exceeded(size.nouns, budget.nouns, 'files of'),
    ...exceeded(size.doors, budget.doors, 'names of'),
    ...exceeded({ 'npm test': size.processor ?? 0 }, budget.processor, 'processor time of'),
  ];
  for (const line of over) console.error(line);
  if (over.length > 0)
    console.error('Make it smaller; or raise scripts/budget.json, and say in the commit what that buys.');
  return over.length > 0 ? 1 : 0;
}

/** Keeps what a whole `npm test` took, in turns of `yardstick()`. */
export function keepWeight(processorSeconds) {
  mkdirSync(dirname(weightFile), { recursive: true });
  writeFileSync(weightFile, JSON.stringify({ turns: Math.round(processorSeconds / yardstick()) }));
}

/** Seconds of processor time that a fixed piece of work takes here and now: the measure for what depends on the machine. */
function yardstick() {
  const text = JSON.stringify(
    Array.from({ length: 4_000 }, (_, at) => ({ id: at, tags: [`name ${at}`, 'b'] })),
  );
  const before = process.cpuUsage();
  for (let turn = 0; turn < 100; turn += 1) JSON.parse(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

function measuredSize() {
  const counted = Object.entries(parts).map(([part, roots]) => {
    const files = roots
      .flatMap(codeIn)
      .filter((file) => part === 'benches' || part === 'portal' || isTest(file) === (part === 'tests'));
    const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
    return [part, { files: files.length, lines }];
  });
  const source = parts.source.flatMap(codeIn).filter((file) => !isTest(file));
  const nouns = [...new Set(source.map(nounDeclaredIn).filter((noun) => noun !== undefined))].sort();
  const doors = source.filter((file) => /^src[\\/][\w-]+[\\/](shared|public)\.ts$/.test(file)).sort();
  return {
    parts: Object.fromEntries(counted),
    nouns: Object.fromEntries(
      nouns.map((noun) => [noun, source.filter((file) => nounOf(file, nouns) === noun).length]),
    ),
    doors: Object.fromEntries(doors.map((door) => [door.slice('src/'.length), namesOf(door)])),
    processor: existsSync(weightFile) ? JSON.parse(readFileSync(weightFile, 'utf8')).turns : undefined,
  };
}

/** One line for each number that is above its limit, or has none. */
function exceeded(numbers, limits, what) {
  return Object.entries(numbers)
    .filter(([name, number]) => !(number <= limits[name]))
    .map(
      ([name, number]) => `Over the budget: ${what} ${name}: ${number} instead of ${limits[name] ?? 'none'}.`,
    );
}

function largest(numbers, count) {
  const sorted = Object.entries(numbers).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(sorted.slice(0, count));
}

function listed(numbers) {
  return Object.entries(numbers)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');
}

/** How many names a door hands out. It consists of lists: what else it exports may be any number of them. */
function namesOf(file) {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  if (/\bexport\s+(?!(?:type\s+)?\{)/.test(text)) return Infinity;
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)];
  return lists.flatMap(([, names]) => names.split(',')).filter((name) => name.trim() !== '').length;
}

function codeIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => /\.(?:ts|tsx|mts)$/.test(file) && !/node_modules|\.d\.ts$|[\\/]dist[\\/]/.test(file));
}

function isTest(file) {
  return file.endsWith('.spec.ts') || /^(test|soak)\b/.test(file);
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
