/** The thread of an embedded database: its statements hold up nobody but those who wait for the same database. */
import { parentPort, workerData } from 'node:worker_threads';
import { serve, startEngine } from './embedded-engine.js';

if (parentPort === null) throw new Error('This is a thread, not a program.');
serve(await startEngine({ dataDir: workerData as string }), parentPort);
parentPort.postMessage('ready');
