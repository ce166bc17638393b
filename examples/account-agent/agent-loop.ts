import { anthropicTools } from '../../packages/agent-client/adapters.js';
import type { AgentClient } from '../../packages/agent-client/agent-client.js';
import type { Message, Model } from './model.js';

/** Most calls for one prompt: a model that goes round in circles is stopped. */
const mostCalls = 5;

/**
 * The loop of an agent: the prompt selects skills and tools from the catalog, as far as the gateway lists them; the model
 * answers or calls one of these; what comes of the call goes back to the model.
 */
export async function answer(
  agent: AgentClient,
  model: Model,
  prompt: string,
  say: (step: string, what: string) => void,
): Promise<string> {
  const turn = await agent.prepare(prompt);
  say('skills', turn.skills.join(', ') || 'none');
  say('tools', turn.tools.map(({ name }) => name).join(', ') || 'none');
  const tools = anthropicTools(turn.tools);
  const messages: Message[] = [{ role: 'user', content: prompt }];
  for (let calls = 0; calls < mostCalls; calls += 1) {
    const reply = await model({ system: turn.instructions, messages, tools });
    if (typeof reply === 'string') return reply;
    say('call', `${reply.name} ${JSON.stringify(reply.input)}`);
    const { text, isError } = await turn.call(reply.name, reply.input);
    say('result', text);
    const result = { type: 'tool_result', tool_use_id: reply.id, content: text, is_error: isError } as const;
    messages.push({ role: 'assistant', content: [reply] }, { role: 'user', content: [result] });
  }
  return 'I could not find out.';
}
