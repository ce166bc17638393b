/**
 * A process of its own for what may take too much, from both sides: a thread whose heap runs full inside one step of the engine
 * (`JSON.parse`) takes the whole service with it.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Says that a process ended by itself or from outside, or could not be reached. */
export class ProcessEnded extends Error {
  constructor(
    message: string,
    readonly hasFullHeap = false,
  ) {
    super(message);
  }
}

interface Hears<Answer> {
  readonly onAnswer: (answer: Answer) => void;
  /** Called at its end whoever has ended it, and maybe more than once. */
  readonly onEnd: (reason: ProcessEnded) => void;
}

/**
 * Built, it runs the compiled file; from sources (tests) it is compiled as it is loaded.
 *
 * @param file the module that calls `serve`, as it is named in sources: `….ts`
 * @param memoryMib MiB that it may use of the heap
 */
export function startProcess<Answer>(
  file: URL,
  memoryMib: number,
  { onAnswer, onEnd }: Hears<Answer>,
): ChildProcess {
  const fromSource = import.meta.url.endsWith('.ts');
  const hooks = new URL('../from-source/register.mjs', import.meta.url);
  const child = fork(fileURLToPath(fromSource ? file : file.href.replace(/\.ts$/, '.js')), [], {
    execArgv: [
      `--max-old-space-size=${String(memoryMib)}`,
      // Most of what such work makes is soon thrown away: a small nursery costs a fifth of the time.
      '--max-semi-space-size=32',
      ...(fromSource ? ['--import', hooks.href] : []),
    ],
    // Passes nothing of the service's environment on, least of all its secrets, and no NODE_OPTIONS that lift the limit.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('message', (answer) => {
    onAnswer(answer as Answer);
  });
  child.on('error', ({ message }) => {
    onEnd(new ProcessEnded(`The process could not be reached: ${message}`));
  });
  child.on('exit', (code, signal) => {
    // The engine aborts where the heap runs full.
    onEnd(new ProcessEnded(`The process ended (${String(signal ?? code)}).`, signal === 'SIGABRT'));
  });
  return child;
}

/** Within the process: answers one task at a time. Ends with its parent, and leaves the signals of a terminal to it. */
export function serve(answerTo: (task: never) => unknown): void {
  process.on('message', (task) => {
    void Promise.resolve(answerTo(task as never)).then((answer) => process.send?.(answer as object));
  });
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}
