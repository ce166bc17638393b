/** Agent cards of A2A 1.0. Pure. https://github.com/a2aproject/A2A (specification/a2a.proto) */
import type { ShownAgent, ShownSkill } from '../shown.js';

/** Examples of each skill. */
const MAX_EXAMPLES = 5;

export function agentCard({ title, description, url, version, skills }: ShownAgent) {
  return {
    ...{ name: title, description, version },
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: skills.map(cardSkill),
  };
}

function cardSkill({ name, title, description, tools, prompts }: ShownSkill) {
  return {
    ...{ id: name, name: title, description },
    // The standard wants at least one.
    tags: tools.length === 0 ? [name] : tools,
    ...(prompts.length > 0 && { examples: prompts.slice(0, MAX_EXAMPLES) }),
  };
}
