/** The index of Agent Skills Discovery 0.2.0. Pure. https://github.com/cloudflare/agent-skills-discovery-rfc */
import type { ShownSkill } from '../shown.js';
import { shortened } from './names.js';

/** Longest description of a skill (agentskills.io, specification). */
const MAX_DESCRIPTION = 1024;

/** How a skill is fetched. */
export interface SkillArtifact {
  readonly type: 'archive' | 'skill-md';
  /** `sha256:` and 64 hexadecimal digits, of the bytes that its address answers. */
  readonly digest: string;
}

export function skillDescription({ description }: ShownSkill): string {
  return shortened(description, MAX_DESCRIPTION);
}

export function skillAddress(origin: string, { name }: ShownSkill, type: SkillArtifact['type']): string {
  const file = type === 'archive' ? 'skill.tar.gz' : 'SKILL.md';
  return `${origin}/.well-known/agent-skills/${name}/${file}`;
}

export function skillsIndex(
  origin: string,
  skills: readonly (readonly [skill: ShownSkill, artifact: SkillArtifact])[],
) {
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skills.map(([skill, { type, digest }]) => ({
      ...{ name: skill.name, type, description: skillDescription(skill) },
      ...{ url: skillAddress(origin, skill, type), digest },
    })),
  };
}
