import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/client';
import type { Log } from './agent-options.js';
import type { CurrentCatalog } from './catalog-cache.js';
import { messageOf } from './requests.js';
import type { Gateway } from './gateway.js';
import type { OfferedTool } from './offered-tool.js';

/** State of catalog and gateway for one prompt. */
export interface TurnState {
  /** `stale`: the service does not answer; `refused`: it refuses the token; `no_token`: there is no usable token. */
  readonly catalog: CurrentCatalog['state'];
  readonly catalogVersion?: number;
  readonly catalogHash?: string;
  /** Since the service last confirmed the catalog. */
  readonly catalogAgeSeconds?: number;
  readonly gateway: 'available' | 'unavailable';
  readonly fallback?: 'no_match' | 'no_catalog' | 'no_agent';
  /** `semantic`: the service's search did not answer in time. */
  readonly degraded?: readonly 'semantic'[];
}

export interface TurnFacts {
  readonly tools: readonly OfferedTool[];
  /** Text for the system prompt; may be empty. */
  readonly instructions: string;
  /** Names of the skills in the instructions, best first. */
  readonly skills: readonly string[];
  /** Text for user and model where tools are missing or unselected. */
  readonly notice?: string;
  readonly state: TurnState;
}

/** Result of a call, as in MCP; `text` is for the model. */
export interface Outcome {
  readonly isError: boolean;
  readonly text: string;
  readonly content: CallToolResult['content'];
  readonly structuredContent?: unknown;
  /** Offered tools to use instead, by their names for models. Only the model may call them. */
  readonly fallbacks?: readonly string[];
  /** Refusal of the gateway: JSON-RPC code (−32004: policy), and its reason. */
  readonly refusal?: { readonly code: number; readonly reason?: string; readonly data?: unknown };
}

/** One prompt with its tools. Calls only these. */
export class Turn implements TurnFacts {
  readonly tools: readonly OfferedTool[];
  readonly instructions: string;
  readonly skills: readonly string[];
  readonly notice?: string;
  readonly state: TurnState;

  constructor(
    facts: TurnFacts,
    private readonly gateway: Gateway,
    private readonly log: Log,
  ) {
    this.tools = facts.tools;
    this.instructions = facts.instructions;
    this.skills = facts.skills;
    this.state = facts.state;
    if (facts.notice !== undefined) this.notice = facts.notice;
  }

  /** Tools with arguments that the user must be asked for. */
  get askFirst(): readonly { readonly toolName: string; readonly inputs: readonly string[] }[] {
    return this.tools
      .filter(({ askFirst }) => askFirst.length > 0)
      .map(({ name, askFirst }) => ({ toolName: name, inputs: askFirst }));
  }

  /**
   * Calls a tool at the gateway. Failures are answers that the model can read; throws only for `signal`.
   *
   * @param name as it was shown to the model
   */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Outcome> {
    const tool = this.tools.find((one) => one.modelName === name || one.name === name);
    if (tool === undefined) return this.failed(name, `There is no tool ${name} here.`);
    try {
      const result = await this.gateway.call(tool, { ...args }, signal);
      if (result.isError !== true) return outcomeOf(result);
      this.log('warn', 'tool answered with an error', { toolName: tool.name });
      return repairable(outcomeOf(result), tool);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      if (error instanceof ProtocolError) return this.refused(tool, error);
      const outcome = this.failed(tool.name, messageOf(error));
      // The call may have taken effect: a fallback could do it twice.
      return tool.safety?.readOnly === true ? repairable(outcome, tool) : outcome;
    }
  }

  private refused({ name }: OfferedTool, { code, message, data }: ProtocolError): Outcome {
    const said = (data as { readonly reason?: unknown } | undefined)?.reason;
    const reason = typeof said === 'string' ? said : undefined;
    this.log('warn', 'gateway refused a call', { toolName: name, code, reason });
    const text = `The gateway refused to call ${name}: ${reason ?? message} (${code}). Do not try it again as it is.`;
    const refusal = { code, ...(reason !== undefined && { reason }), ...(data !== undefined && { data }) };
    return { ...saying(text), refusal };
  }

  private failed(toolName: string, text: string): Outcome {
    this.log('warn', 'tool not called', { toolName, error: text });
    return saying(text);
  }
}

function saying(text: string): Outcome {
  return { isError: true, text, content: [{ type: 'text', text }] };
}

/** Adds fallbacks to a failure, but not to a refusal of the gateway's policy. */
function repairable(outcome: Outcome, { related }: OfferedTool): Outcome {
  const fallbacks = related.filter(({ reason }) => reason === 'fallback').map(({ modelName }) => modelName);
  if (fallbacks.length === 0) return outcome;
  const text = `${outcome.text}\n${fallbacks.join(' or ')} may do instead.`;
  return { ...outcome, text, fallbacks };
}

function outcomeOf({ isError = false, content, structuredContent }: CallToolResult): Outcome {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const rest = content.length - texts.length;
  const text = [...texts, ...(rest > 0 ? [`[${rest} parts that are no text]`] : [])].join('\n');
  return { isError, text, content, ...(structuredContent !== undefined && { structuredContent }) };
}
