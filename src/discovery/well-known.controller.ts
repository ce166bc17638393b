import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation } from '../platform/http/operation.js';
import { Problem } from '../platform/http/problem.js';
import { DiscoveryReply, type Found } from './discovery-reply.service.js';
import {
  agentCardAnswer,
  ardAnswer,
  discovered,
  discoveryExamples,
  serverCardAnswer,
  skillsIndexAnswer,
} from './discovery.schemas.js';
import { PublicCatalogs } from './public-catalogs.service.js';
import { publicName } from './public-entry.rules.js';
import { agentCard } from './standards/agent-card.js';
import { agentCardAddress, ardManifest } from './standards/ard.js';
import { serverCard } from './standards/server-json.js';
import { skillsIndex, type SkillArtifact } from './standards/skills-index.js';

const cardType = 'application/a2a-agent-card+json';
const named = (name: string) => ({ params: { [name]: publicName } });

/** What is public, at the addresses that standards of discovery have for it. */
@Controller()
export class WellKnownController {
  constructor(
    private readonly replies: DiscoveryReply,
    private readonly catalogs: PublicCatalogs,
  ) {}

  @Get('.well-known/ard.json')
  @Operation({
    id: 'getArdManifest',
    summary: 'What is public, by Agentic Resource Discovery',
    description: 'ARD v0.91: agents, MCP servers and skills, each with the address of its own document.',
    ...{ ...discovered, answer: ardAnswer, example: { answer: discoveryExamples.ard } },
  })
  ard(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.send(request, reply, async (found) => ({
      type: 'application/json; charset=utf-8',
      body: await this.manifest(found),
    }));
  }

  @Get('.well-known/ai-catalog.json')
  @Operation({
    id: 'getAiCatalog',
    summary: 'What is public, as an AI Catalog',
    description: 'AI Catalog 1.0; the same document as ard.json, under the name that came before.',
    ...{ ...discovered, answer: ardAnswer, answerType: 'application/ai-catalog+json' },
    example: { answer: discoveryExamples.ard },
  })
  aiCatalog(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.send(request, reply, async (found) => ({
      type: 'application/ai-catalog+json',
      body: await this.manifest(found),
    }));
  }

  private async manifest(found: Found): Promise<object> {
    const { shown, origin } = found;
    const artifacts = await this.catalogs.artifactsOf(found);
    const types = new Map(artifacts.map(([{ skillId }, { type }]) => [skillId, type]));
    return ardManifest(origin, shown, ({ skillId }) => types.get(skillId) ?? 'skill-md');
  }

  @Get('.well-known/agent-skills/index.json')
  @Operation({
    id: 'getAgentSkillsIndex',
    summary: 'The public skills, with digests',
    description: 'Agent Skills Discovery 0.2.0.',
    ...{ ...discovered, answer: skillsIndexAnswer, example: { answer: discoveryExamples.skills } },
  })
  skills(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.send(request, reply, async (found) => ({
      type: 'application/json; charset=utf-8',
      body: skillsIndex(found.origin, await this.catalogs.artifactsOf(found)),
    }));
  }

  @Get('.well-known/agent-skills/:skillName/SKILL.md')
  @Operation({
    id: 'getPublicSkill',
    summary: 'A public skill as SKILL.md',
    ...{ ...discovered, ...named('skillName'), answer: { type: 'string' }, answerType: 'text/markdown' },
    example: { answer: discoveryExamples.skillMd },
  })
  skillMd(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('skillName') name: string,
  ): Promise<void> {
    return this.sendSkill(request, reply, name, 'skill-md');
  }

  @Get('.well-known/agent-skills/:skillName/skill.tar.gz')
  @Operation({
    id: 'getPublicSkillArchive',
    summary: 'A public skill as its folder, packed',
    description: 'SKILL.md is at its top.',
    ...{ ...discovered, ...named('skillName'), answer: { type: 'string' }, answerType: 'application/gzip' },
    example: { answer: '' },
  })
  skillArchive(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('skillName') name: string,
  ): Promise<void> {
    return this.sendSkill(request, reply, name, 'archive');
  }

  private sendSkill(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    type: SkillArtifact['type'],
  ): Promise<void> {
    return this.replies.send(request, reply, async (found) => {
      const skill = found.shown.skills.find((each) => each.name === name);
      return {
        type: type === 'archive' ? 'application/gzip' : 'text/markdown; charset=utf-8',
        body: skill && (await this.catalogs.fileOf(found, skill, type)),
      };
    });
  }

  @Get('.well-known/agent-card.json')
  @Operation({
    id: 'getOnlyAgentCard',
    summary: 'The card of the public agent',
    description: 'A2A 1.0, where just one agent is public; 404 says where the cards are if there are more.',
    ...{ ...discovered, answer: agentCardAnswer, example: { answer: discoveryExamples.agentCard } },
  })
  onlyAgent(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.replies.send(request, reply, ({ shown: { agents }, origin }) => {
      if (agents.length > 1) throw severalAgents(origin, agents.length);
      return { type: cardType, body: agents[0] && agentCard(agents[0]) };
    });
  }

  @Get('discovery/agents/:agentName/agent-card.json')
  @Operation({
    id: 'getPublicAgentCard',
    summary: 'The card of a public agent',
    description: 'A2A 1.0; the skills are those of its public ones. ard.json names the address.',
    ...{ ...discovered, ...named('agentName'), answer: agentCardAnswer, answerType: cardType },
    example: { answer: discoveryExamples.agentCard },
  })
  agent(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('agentName') name: string,
  ): Promise<void> {
    return this.replies.send(request, reply, ({ shown }) => {
      const agent = shown.agents.find((each) => each.name === name);
      return { type: cardType, body: agent && agentCard(agent) };
    });
  }

  @Get('discovery/gateways/:gatewayName/server-card')
  @Operation({
    id: 'getPublicServerCard',
    summary: 'The MCP Server Card of a public gateway',
    description: 'SEP-2127; it names no tools. ard.json names the address.',
    ...{ ...discovered, ...named('gatewayName'), answer: serverCardAnswer },
    ...{ answerType: 'application/mcp-server-card+json', example: { answer: discoveryExamples.serverCard } },
  })
  gateway(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('gatewayName') name: string,
  ): Promise<void> {
    return this.replies.send(request, reply, ({ shown, origin }) => {
      const gateway = shown.gateways.find((each) => each.name === name);
      return { type: 'application/mcp-server-card+json', body: gateway && serverCard(origin, gateway) };
    });
  }
}

function severalAgents(origin: string, count: number): Problem {
  const detail =
    `${String(count)} agents are public here. ${origin}/.well-known/ard.json names the address of each card, like ` +
    `${agentCardAddress(origin, '<name>')}.`;
  return new Problem(404, 'several_agents', detail);
}
