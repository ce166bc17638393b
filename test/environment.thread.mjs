/** Watches the thread that runs tests: where that computes past the end of a test's time, says which and ends jest. */
import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

let running;
let turnsAlone = 0;
parentPort.on('message', (what) => (running = what));

setInterval(() => {
  const { jest } = workerData;
  // Where jest was interrupted, its worker may compute on without it. It has some seconds to end by itself.
  turnsAlone += process.pid === jest || process.ppid === jest ? 0 : 1;
  if (turnsAlone > 20) process.kill(process.pid, 'SIGKILL');
  if (running === undefined || Date.now() < running.end) return;
  const said = `${running.name}: hangs; it computed on past the end of its time, and jest was ended`;
  writeSync(2, `\n${said}\n`);
  const folder = process.env.TEST_REPORT;
  if (folder !== undefined) writeFileSync(join(folder, 'hung'), said);
  // Jest waits for ever for a worker that is gone.
  process.kill(jest, 'SIGKILL');
  process.kill(process.pid, 'SIGKILL');
}, 500);
