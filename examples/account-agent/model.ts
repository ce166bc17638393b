/** What an agent loop asks of a model: the shapes of Anthropic’s Messages API, as far as the example needs them. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: object;
}

export type Message =
  | { readonly role: 'user' | 'assistant'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: readonly [ToolUse] }
  | { readonly role: 'user'; readonly content: readonly [ToolResult] };

export interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

export interface ToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error: boolean;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
}

/** A model says something, or wants a tool. */
export type ModelReply = string | ToolUse;

export type Model = (request: ModelRequest) => Promise<ModelReply>;

interface Bills {
  readonly bills: readonly { readonly billNo: string; readonly dueOn: string; readonly owedCents: number }[];
}

/**
 * Plays a model without a network, the same way each time: it looks into the question for an account number, takes the
 * tool that the question is about if it is offered, and reads the answer out. A real one goes in its place.
 */
export const scriptedModel: Model = ({ messages, tools }) => {
  const last = messages.at(-1)?.content;
  if (typeof last === 'object') return Promise.resolve(readOut(last[0]));
  const wanted = /close/i.test(last ?? '') ? 'closeAccount' : 'listBills';
  const [accountId] = /TW-\d{3}-\d{3}/.exec(last ?? '') ?? [];
  if (!tools.some(({ name }) => name === wanted))
    return Promise.resolve('I have no tool for that. A colleague of yours has to do it.');
  const input = { accountId, unpaid: true };
  return Promise.resolve({ type: 'tool_use', id: 'call_1', name: wanted, input });
};

function readOut(block: ToolUse | ToolResult | undefined): string {
  if (block?.type !== 'tool_result' || block.is_error) return 'That did not work, so I can’t tell.';
  const { bills } = JSON.parse(block.content) as Bills;
  const lines = bills.map(({ billNo, dueOn, owedCents }) => `${billNo}: ${euros(owedCents)}, due ${dueOn}`);
  const total = bills.reduce((sum, { owedCents }) => sum + owedCents, 0);
  return `${String(bills.length)} bills are open, ${euros(total)} in all. ${lines.join('; ')}.`;
}

function euros(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}
