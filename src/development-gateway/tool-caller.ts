import { UnauthorizedError } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { CallerIdentity, RouterTool } from '../gateways/shared.js';
import {
  OutboundFault,
  type Outbound,
  type OutboundLimits,
  type OutboundSession,
} from '../platform/network/outbound.js';
import { SecretUnavailable } from '../platform/network/secret-store.js';
import type { JsonObject } from '../documents/json.js';
import { UnionSchema } from '../registry/shared.js';
import { argumentFaults } from './argument-check.js';
import { type Arguments, CallFault } from './call-result.js';
import { type CarriedOut, carryOutSteps, type Send, stepsChosen } from './composite-execution.js';
import { destinationOf, destinationsOf } from './composite-targets.js';
import type { CallingParty, OutgoingIdentity } from './outgoing-identity.js';
import { redacting } from './redacted-answers.js';
import type { Target } from './target.js';
import { carryOut, isImplementation } from './tool-execution.js';

/** Limits of one call. */
export const callLimits: OutboundLimits = { timeMs: 30_000, bytes: 4 * 1024 * 1024 };

/** For whom a call is made; undefined where nobody said so. By the rule the API is told, or not. */
export interface Calling {
  readonly caller: CallingParty | undefined;
  readonly rule: CallerIdentity;
}

/** What became of a call; of one that failed the fault, and the same as a result that a model can learn from. */
export interface Called {
  readonly result: CallToolResult;
  readonly fault?: CallFault;
  /** Of a tool over several operations: which were tried. */
  readonly carriedOut?: CarriedOut;
}

/**
 * The service layer of a call: who calls, whether the arguments fit, with which credential the call goes out, and how the answer is told.
 * What is sent and how the answer is read is the tool's (tool-execution.ts).
 */
export class ToolCaller {
  constructor(
    private readonly outbound: Outbound,
    private readonly identity: OutgoingIdentity,
    private readonly limits: OutboundLimits = callLimits,
  ) {}

  /** Calls a tool. Never throws. */
  async call(tool: RouterTool, args: Arguments, calling: Calling): Promise<Called> {
    const carriedOut: CarriedOut = { operation: tool.endpoint, steps: [] };
    const of = tool.apiType === 'composite' ? { carriedOut } : {};
    try {
      refuseArguments(tool, args);
      const result =
        tool.apiType === 'composite'
          ? await this.steps(tool, args, calling, carriedOut)
          : await this.single(tool, args, calling);
      return { result, ...of };
    } catch (error) {
      const fault = callFault(error, { answered: false });
      return { result: fault.result, fault, ...of };
    }
  }

  private async single(tool: RouterTool, args: Arguments, calling: Calling): Promise<CallToolResult> {
    if (tool.apiType === 'graphql') requireCaller(calling);
    const { url, auth } = destinationOf(tool);
    const headers = await this.identity.headersFor(auth, url, calling);
    return this.sent({ url, headers }, this.limits, (target) => carryOut(tool, args, target));
  }

  /** Who calls is settled for all steps before the first is sent. The time is that of the call as a whole. */
  private async steps(
    tool: RouterTool,
    args: Arguments,
    calling: Calling,
    tried: CarriedOut,
  ): Promise<CallToolResult> {
    const steps = stepsChosen(tool, args);
    if (steps.some(({ graphql }) => graphql !== undefined)) requireCaller(calling);
    const places = new Map<string, Omit<Target, 'session' | 'timeout'>>();
    for (const [api, { url, auth }] of destinationsOf(tool, steps))
      places.set(api, { url, headers: await this.identity.headersFor(auth, url, calling) });
    const start = performance.now();
    const send: Send = (step, work) => {
      const place = places.get(step.api);
      if (place === undefined)
        throw new CallFault('no_target', `The gateway does not know where ${step.api} is.`);
      const left = Math.max(1, Math.ceil(this.limits.timeMs - (performance.now() - start)));
      return this.sent(place, { ...this.limits, timeMs: left }, work);
    };
    return carryOutSteps(tool, { steps, args }, send, tried);
  }

  private async sent<T>(
    { url, headers }: Omit<Target, 'session' | 'timeout'>,
    limits: OutboundLimits,
    work: (target: Target) => Promise<T>,
  ): Promise<T> {
    let opened: OutboundSession | undefined;
    let answered = false;
    try {
      return await this.outbound.with(url, limits, (session) => {
        opened = session;
        const token = headers['authorization']?.replace(/^Bearer /, '');
        const noting: OutboundSession['fetch'] = async (...request) => {
          const answer = await session.fetch(...request);
          answered = true;
          return answer;
        };
        const fetch = redacting(noting, token === undefined ? [] : [token]);
        return work({ url, session: { fetch }, headers, timeout: limits.timeMs });
      });
    } catch (error) {
      throw callFault(error, { answered, fault: opened?.fault });
    }
  }
}

/** Of a composite, it says what is wrong with those of the alternative that is asked for. */
function refuseArguments(tool: RouterTool, args: Arguments): void {
  const faults = isImplementation(tool) ? [] : argumentFaults(tool.inputSchema, args);
  if (faults.length === 0) return;
  const { by = '' } = tool.composite ?? {};
  const asked = Object.hasOwn(args, by) ? args[by] : undefined;
  const narrowed =
    typeof asked === 'string'
      ? new UnionSchema(tool.inputSchema as JsonObject, by).narrowedTo(asked)
      : undefined;
  const own = narrowed === undefined ? [] : argumentFaults(narrowed, args);
  throw new CallFault('invalid_arguments', (own.length > 0 ? own : faults).join('; '));
}

function requireCaller({ caller }: Calling): void {
  if (caller === undefined)
    throw new CallFault('no_caller', 'A GraphQL operation is carried out for somebody: send a token.');
}

const notSent =
  'The gateway could not make the request, so it was not sent: this is a fault of the gateway or of how the catalog describes the tool, not of the server behind it.';

/** How far a call came: whether a server has answered, and what became of the connection. */
interface Progress {
  readonly answered: boolean;
  readonly fault?: OutboundFault | undefined;
}

/** Finds the fault; the connection's own comes before that of a library which wraps it. No server is blamed that was never asked. */
function callFault(error: unknown, { answered, fault: outbound }: Progress): CallFault {
  if (error instanceof CallFault) return error;
  const fault = error instanceof OutboundFault ? error : outbound;
  if (fault?.isUnsent === true) return new CallFault('not_sent', notSent);
  if (fault !== undefined) return new CallFault(`downstream_${fault.kind}`, fault.message);
  if (error instanceof SecretUnavailable) return new CallFault('credential_unavailable', error.message);
  if (error instanceof URIError) return new CallFault('invalid_arguments', 'A text is no valid Unicode.');
  if (error instanceof UnauthorizedError)
    return new CallFault(
      'downstream_unauthorized',
      'The server behind it does not accept the gateway’s credential.',
    );
  if (answered)
    return new CallFault('downstream_broken', 'The server behind it does not speak its protocol.');
  return new CallFault('not_sent', notSent);
}
