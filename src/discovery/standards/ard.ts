/**
 * One document for Agentic Resource Discovery v0.91 (`ard.json`) and AI Catalog 1.0 (`ai-catalog.json`): it keeps the stricter rule of
 * each. Pure. https://github.com/ards-project/ard-spec (spec/ard.md), https://github.com/Agent-Card/ai-catalog
 */
import type { Shown, ShownSkill } from '../shown.js';
import { urn } from './names.js';
import { skillAddress, type SkillArtifact } from './skills-index.js';

interface Described {
  readonly title: string;
  readonly description: string;
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
}

/** ARD wants two to five queries, or none. */
const [MIN_QUERIES, MAX_QUERIES] = [2, 5];

/** @param typeOf how each skill is fetched */
export function ardManifest(
  origin: string,
  { gateways, agents, skills }: Shown,
  typeOf: (skill: ShownSkill) => SkillArtifact['type'],
) {
  const host = new URL(origin).hostname;
  return {
    specVersion: '1.0',
    host: { displayName: host },
    entries: [
      ...agents.map((agent) => ({
        ...{ identifier: urn(origin, 'agent', agent.name), type: 'application/a2a-agent-card+json' },
        url: agentCardAddress(origin, agent.name),
        ...described(agent),
        ...{ version: agent.version },
      })),
      ...gateways.map((gateway) => ({
        ...{ identifier: urn(origin, 'mcp', gateway.name), type: 'application/mcp-server-card+json' },
        url: `${origin}/discovery/gateways/${gateway.name}/server-card`,
        ...described(gateway),
        ...{ version: gateway.version, updatedAt: gateway.updatedAt },
      })),
      ...skills.map((skill) => {
        const type = typeOf(skill);
        return {
          identifier: urn(origin, 'skill', skill.name),
          type: type === 'archive' ? 'application/agent-skills+gzip' : 'application/agent-skills+md',
          url: skillAddress(origin, skill, type),
          ...described(skill),
          ...{ version: skill.version },
        };
      }),
    ],
  };
}

export function agentCardAddress(origin: string, name: string): string {
  return `${origin}/discovery/agents/${name}/agent-card.json`;
}

function described({ title, description, tools, prompts }: Described) {
  return {
    ...{ displayName: title, description },
    ...(tools.length > 0 && { capabilities: tools }),
    ...(prompts.length >= MIN_QUERIES && { representativeQueries: prompts.slice(0, MAX_QUERIES) }),
  };
}
