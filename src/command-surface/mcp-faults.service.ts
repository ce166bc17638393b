import { Inject, Injectable } from '@nestjs/common';
import { ProtocolError } from '@modelcontextprotocol/server';
import { logFailure } from '../platform/http/failure-log.js';
import { problemOf } from '../platform/http/problem-details.js';
import { LOG, type Log } from '../platform/logging/log.js';

const invalidParams = -32602;
const internalError = -32603;

/** What failed behind `/mcp`, in the words of problem details: the SDK would tell clients the text of any error. */
@Injectable()
export class McpFaults {
  constructor(@Inject(LOG) private readonly log: Log) {}

  /** Throws ProtocolError alone: −32602 where the request was refused, −32603 where it failed, which is logged. */
  async told<T>({ correlationId }: { readonly correlationId: string }, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const problem = problemOf(error);
      logFailure(this.log, correlationId, error, problem);
      const { status, code, message } = problem;
      const kind = status < 500 ? invalidParams : internalError;
      throw new ProtocolError(kind, `${code}: ${message}`, { requestId: correlationId });
    }
  }
}
