/**
 * Environment of the tests on databases. It keeps for each worker of jest one process of applications
 * (e2e/applications.ts), which outlives the files of the worker, and hands out `applications` to each of them.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Environment from './environment.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const hooks = new URL('../src/platform/from-source/register.mjs', import.meta.url).href;

let process_;

/** The process of this worker; what it is asked is answered in its time. */
function applications() {
  if (process_ !== undefined) return process_;
  // Those of jest are not for it.
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = fork(at('./e2e/applications.ts'), { execArgv: ['--import', hooks], env });
  const asked = new Map();
  let last = 0;
  const settle = ({ id, value, error }) => {
    const { resolve, reject } = asked.get(id);
    asked.delete(id);
    // Alone it keeps no worker from its end.
    if (asked.size === 0) child.channel?.unref();
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  };
  child.on('message', settle);
  child.once('exit', (code, signal) => {
    process_ = undefined;
    for (const id of asked.keys())
      settle({ id, error: `The process of applications has ended (${code ?? signal}).` });
  });
  child.unref();
  child.channel.unref();
  process_ = {
    ask: (order) =>
      new Promise((resolve, reject) => {
        last += 1;
        asked.set(last, { resolve, reject });
        child.channel.ref();
        child.send({ id: last, order });
      }),
  };
  return process_;
}

export default class DatabaseEnvironment extends Environment {
  async setup() {
    await super.setup();
    this.global.applications = { ask: (order) => applications().ask(order) };
  }
}
