/**
 * Environment of all tests. Jest ends a test that waits for ever, but not one that computes for ever: a thread looks after each
 * worker of jest for that. And jest says that a worker did not end, but not which file keeps it: this does.
 */
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TestEnvironment } from 'jest-environment-node';

/** Milliseconds that a test is given to notice that its time is up. */
const GRACE = 5_000;

/** What jest-worker sends to a worker that is to end: CHILD_MESSAGE_END. */
const END = 2;

let isAsked = false;
let watch;
let resting;
const files = [];

/** Hands the thread what runs until when; nothing runs without a name. */
function runs(name, ms = 0) {
  if (watch === undefined) {
    // A worker of jest is a child of it; else this is jest itself.
    const jest = process.send === undefined ? process.pid : process.ppid;
    watch = new Worker(new URL('./environment.thread.mjs', import.meta.url), { workerData: { jest } });
    watch.unref();
    process.on('message', hear).once('SIGTERM', end);
  }
  watch.postMessage(name && { name, end: Date.now() + ms + GRACE });
}

function hear([kind]) {
  if (kind !== END) return;
  isAsked = true;
  // Who listens keeps the worker.
  process.off('message', hear);
}

/** Jest ends so a worker that did not end when it was asked to, and one whose memory has grown. */
function end() {
  if (isAsked) sayWhatIsOpen();
  process.exit(1);
}

function sayWhatIsOpen() {
  const open = files
    .filter(({ left }) => left.length > 0)
    .map(({ path, left }) => `${path} (${left.join(', ')})`);
  const said = open.length > 0 ? open.join('; ') : files.map(({ path }) => path).join(', ');
  writeSync(2, `A worker of jest did not end by itself. What is still open may be of: ${said}\n`);
}

/** What keeps this process alive, each kind as often as there are. */
function resources() {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => !['PipeWrap', 'MessagePort', 'Immediate'].includes(kind));
}

export default class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.path = relative(config.globalConfig.rootDir, context.testPath);
    this.timeout = config.globalConfig.testTimeout ?? 5_000;
    this.before = resources();
  }

  async setup() {
    await super.setup();
    clearTimeout(resting);
    runs(`${this.path} while it is loaded`, 2 * this.timeout);
  }

  async teardown() {
    runs(`${this.path} after its end`, this.timeout);
    await super.teardown();
    // What the file has left behind comes first; where that computes for ever, this never comes.
    resting = setTimeout(runs, 100).unref();
    const left = [...this.before].reduce((rest, kind) => without(rest, kind), resources());
    files.push({ path: this.path, left });
  }

  handleTestEvent({ name, test, hook }, { testTimeout }) {
    if (name === 'test_fn_start') runs(`${this.path} › ${titleOf(test)}`, test.timeout ?? testTimeout);
    else if (name === 'hook_start') runs(`${this.path}, ${hook.type}`, hook.timeout ?? testTimeout);
    else if (/^(test_fn|hook)_(success|failure)$|^run_start$/.test(name))
      // What a test has left behind may compute for ever, too.
      runs(`${this.path}, between its tests or after them`, this.timeout);
  }
}

function titleOf({ name, parent }) {
  return parent?.parent === undefined ? name : `${titleOf(parent)} › ${name}`;
}

function without(list, item) {
  const at = list.indexOf(item);
  return at < 0 ? list : [...list.slice(0, at), ...list.slice(at + 1)];
}
