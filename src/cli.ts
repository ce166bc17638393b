#!/usr/bin/env node
import { exitCodes } from './cli/output.js';
import { runProgram } from './cli/program.js';
import { misspelt } from './platform/config/start-notes.js';

// A reader that has seen enough (`… | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed);
});

for (const note of misspelt())
  process.stderr.write(`warning: ${note}
`);

// What a command has said by itself, such as a service that could not go on, counts more.
const code = await runProgram(process.argv.slice(2));
if (code !== exitCodes.done) process.exitCode = code;
