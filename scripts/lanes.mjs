/**
 * Runs lanes of tests one after another, what failed once more at the end, and reports what ran, what did not, and why. What fails
 * and passes then is unstable: it is shown and not red, as long as there is little of it.
 */
import { readFileSync } from 'node:fs';
import { jest } from './jest.mjs';
import { seconds } from './set-up.mjs';

/** Milliseconds that one test may take: enough for the slowest of `npm test` on a busy machine, and twice of it are two minutes. */
export const testTimeout = 50_000;
/** As much for a test of `npm run soak`. */
export const soakTimeout = 1_800_000;

/** So many files may be unstable in one run. */
const MOST_UNSTABLE = 3;
/** Where more files fail it is no accident, and none is run again. */
const MOST_AGAIN = 10;

/** Suites that run on several databases stand under these headings. */
const groups = [
  ['on PostgreSQL', ({ name }) => name.includes('on PostgreSQL')],
  ['on the embedded database', ({ name }) => name.includes('on the embedded database')],
  ['without a choice of database', () => true],
];

/**
 * @param {{ name: string, projects: string[], workers: string, env?: Record<string, string | undefined> }[]} lanes
 * @param {string[]} args for jest
 * @returns {Promise<{ lane: string, time: string, tests: object[], files: object[] }[]>} of each lane
 */
export async function runLanes(lanes, args) {
  const ran = [];
  for (const lane of lanes) {
    const began = Date.now();
    const results = await jest(lane.projects, [`--maxWorkers=${lane.workers}`, ...args], lane.env);
    ran.push({ lane: lane.name, time: seconds(began), ...results });
  }
  await runAgain(lanes, ran, args);
  return ran;
}

/** Runs each file that failed by itself, and keeps what it came to then. */
async function runAgain(lanes, ran, args) {
  const failed = ran.flatMap(({ files }, at) => files.filter(hasFailed).map((file) => ({ file, at })));
  if (failed.length > MOST_AGAIN) {
    console.log(`${failed.length} files failed; where it is more than ${MOST_AGAIN}, none is run again.`);
    return;
  }
  for (const { file, at } of failed) {
    console.log(`\nOnce more, by itself: ${file.path}`);
    const { projects, env } = lanes[at];
    const own = ['--runInBand', '--forceExit', '--runTestsByPath', file.path, ...optionsOf(args)];
    const { tests, files } = await jest(projects, own, env);
    if (tests.some(isFailed) || !tests.some(hasRun)) continue;
    const lane = ran[at];
    lane.files = lane.files.map((other) => (other === file ? { ...files[0], unstable: file.error } : other));
    // What failed and is of no file, as a lane that was ended, stays.
    lane.tests = [...lane.tests.filter(({ path }) => path !== file.path), ...tests];
  }
}

/** The arguments that name no files. */
function optionsOf(args) {
  return args.filter((arg, at) => arg.startsWith('-') || args[at - 1] === '-t');
}

function isFailed({ status }) {
  return status === 'failed';
}

function hasFailed({ tests }) {
  return tests.some(isFailed);
}

/**
 * Prints what ran; sets the exit code.
 *
 * @param {string[]} missing what should have run and did not, as failures; and what is not run here, with the reason
 */
export function report(ran, { time, missing = [], leftOut = [] }) {
  console.log(`\nWhat ran, in ${time}:`);
  for (const lane of ran) printLane(lane);
  const files = ran.flatMap((lane) => lane.files);
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  const all = ran.flatMap(({ tests }) => tests);
  const cpu = processorSeconds();
  const processor = cpu === undefined ? '' : `, ${cpu} s of processor time`;
  console.log(`Its weight: ${all.length} tests in ${files.length} files${processor}. The ten slowest files:`);
  for (const { path, ms } of slowest) console.log(`  ${(ms / 1000).toFixed(1)} s  ${path}`);
  const skipped = all.filter(({ status }) => status === 'skipped').map(({ name }) => name);
  printList('What did not run:', [...leftOut, ...skipped]);
  const failed = [...all.filter(isFailed).map(({ name }) => name), ...missing];
  const unstable = files.filter((file) => file.unstable !== undefined);
  printList(
    'Unstable, failed once and passed when run again:',
    unstable.map(({ path, unstable: error }) => `${path}: ${firstLines(error)}`),
  );
  if (unstable.length > MOST_UNSTABLE)
    failed.push(`${unstable.length} unstable files; at most ${MOST_UNSTABLE} are taken for accidents`);
  printList('What failed:', failed);
  console.log(`\n${counted(all)}`);
  if (failed.length > 0 || !all.some(hasRun)) process.exitCode = 1;
}

function printLane({ lane, time, tests }) {
  console.log(`  ${lane}, in ${time}: ${counted(tests)}`);
  let left = tests;
  for (const [heading, belongs] of groups) {
    const members = left.filter(belongs);
    left = left.filter((test) => !members.includes(test));
    if (members.length > 0 && members.length < tests.length)
      console.log(`    ${heading}: ${counted(members)}`);
  }
}

function printList(title, lines) {
  if (lines.length > 0) console.log([title, ...lines].join('\n  '));
}

/** What should have run and did not: each lane has tests, and what a caller names fits some. */
export function missingTests(ran, rest) {
  const empty = ran.filter(({ tests }) => !tests.some(hasRun)).map(({ lane }) => lane);
  if (rest.length === 0) return empty.map((lane) => `the lane ${lane}: no test ran`);
  return empty.length < ran.length
    ? []
    : [`no test of the lanes ${empty.join(', ')} fits: ${rest.join(' ')}`];
}

/** What an error says, without colours and its stack. */
function firstLines(error) {
  const plain = error.replace(/\u001b\[[\d;]*m/g, '').split('\n');
  return plain
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(0, 6)
    .join('\n    ');
}

export function hasRun({ status }) {
  return status !== 'skipped';
}

function counted(tests) {
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}

/** Of this process and of all that it has started and that has ended; undefined where the system doesn't say. */
export function processorSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    // utime, stime, cutime and cstime of proc(5), in ticks of a hundredth of a second.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return Math.round(ticks / 100);
  } catch {
    return undefined;
  }
}
