import { Inject, Injectable } from '@nestjs/common';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { Caller } from '../platform/auth/caller.js';
import { logFailure } from '../platform/http/failure-log.js';
import type { Problem } from '../platform/http/problem.js';
import { problemOf } from '../platform/http/problem-details.js';
import { LOG, type Log } from '../platform/logging/log.js';

const invalidParams = -32602;
const internalError = -32603;

/** Who asks, and the id of the request. */
interface Asking {
  readonly caller: Caller;
  readonly correlationId: string;
}

/** What failed behind `/mcp`, in the words of problem details: the SDK would tell clients the text of any error. */
@Injectable()
export class McpFaults {
  constructor(@Inject(LOG) private readonly log: Log) {}

  /** Throws ProtocolError alone: −32602 where the request was refused, −32603 where it failed, which is logged. */
  async told<T>({ correlationId, caller }: Asking, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const problem = problemOf(error);
      logFailure(this.log, correlationId, error, problem);
      this.refused({ correlationId, caller }, problem);
      const { status, code, message } = problem;
      const kind = status < 500 ? invalidParams : internalError;
      throw new ProtocolError(kind, `${code}: ${message}`, { requestId: correlationId });
    }
  }

  /** The request itself is answered with 200: that it was refused stands in a line of its own. */
  refused({ correlationId, caller }: Asking, { status, code }: Problem): void {
    if (status < 500) this.log.info({ requestId: correlationId, code, ...caller.actor }, 'refused over MCP');
  }
}
