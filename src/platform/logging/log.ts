import { type LoggerService } from '@nestjs/common';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

/** The service's log: JSON lines on stderr. */
export type Log = Logger;

/** Nest token of the {@link Log}. */
export const LOG = Symbol('Log');

const MAX_TEXT = 1000;
const MAX_FRAMES = 12;

export function createLog(level: string, destination: DestinationStream = process.stderr): Log {
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, serializers: { err: errorFields } },
    destination,
  );
}

/** Logs these members of an error and no others: drivers add statements, parameters and rows, with documents and secrets in them. */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { message: cut(String(error)) };
  const code: unknown = Reflect.get(error, 'code');
  return {
    type: error.name,
    message: cut(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .slice(0, MAX_FRAMES)
      .join('\n'),
    ...(error.cause instanceof Error ? { cause: errorFields(error.cause) } : {}),
  };
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Lets Nest write to the same log. */
export class NestLog implements LoggerService {
  constructor(private readonly log_: Log) {}

  log(message: unknown, ...more: readonly unknown[]): void {
    this.write('debug', message, more);
  }
  error(message: unknown, ...more: readonly unknown[]): void {
    this.write('error', message, more);
  }
  warn(message: unknown, ...more: readonly unknown[]): void {
    this.write('warn', message, more);
  }
  debug(message: unknown, ...more: readonly unknown[]): void {
    this.write('debug', message, more);
  }
  verbose(message: unknown, ...more: readonly unknown[]): void {
    this.write('trace', message, more);
  }
  fatal(message: unknown, ...more: readonly unknown[]): void {
    this.write('fatal', message, more);
  }

  /** Nest gives the context last, and errors as such or as their stack. */
  private write(
    level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace',
    message: unknown,
    more: readonly unknown[],
  ): void {
    const context = more.at(-1);
    // A failed start throws the error as well: who starts the service says it, once.
    if (context === 'ExceptionHandler') return;
    const err = [message, ...more].find((each) => each instanceof Error);
    this.log_[level](
      {
        ...(typeof context === 'string' && !context.includes('\n') ? { context } : {}),
        ...(err === undefined ? {} : { err }),
      },
      err === undefined ? cut(String(message)) : err.message,
    );
  }
}
