import { Injectable } from '@nestjs/common';
import { type GetPromptResult, type ListPromptsResult, ProtocolError } from '@modelcontextprotocol/server';
import {
  type Skill as McpSkill,
  skillEntry,
  type SkillSource,
} from '@modelcontextprotocol/server/ext/skills';
import { type DisclosedCatalog, EffectiveCatalogs } from '../../effective-catalog/public.js';
import { NotFound } from '../../kernel/errors.js';
import type { Caller } from '../../platform/auth/caller.js';
import { McpFaults } from './mcp-calls.service.js';
import { folderName, writeSkillMd } from '../../documents/skill-md.js';

const invalidParams = -32602;
const mimeType = 'text/markdown';

/** The reader of skills. */
interface SkillReader {
  readonly caller: Caller;
  readonly agentDefId: string | undefined;
  /** Id of the request, for the log. */
  readonly correlationId: string;
}

/** Serves an agent's skills through the skills extension, and as prompts for clients without it. */
@Injectable()
export class McpSkills {
  constructor(
    private readonly catalogs: EffectiveCatalogs,
    private readonly faults: McpFaults,
  ) {}

  source(reader: SkillReader): SkillSource {
    return {
      list: async () => ({ skills: await Promise.all((await this.files(reader)).map(entryOf)) }),
      get: async (uri) => {
        const file = (await this.files(reader)).find((each) => each.uri === uri);
        return file === undefined ? undefined : entryOf(file);
      },
      read: async (uri) => {
        const file = (await this.files(reader)).find((each) => each.uri === uri);
        return file === undefined ? undefined : { text: file.text, mimeType };
      },
      listResources: async () =>
        (await this.files(reader)).map(({ uri, slug, description }) => ({
          uri,
          name: slug,
          description,
          mimeType,
        })),
    };
  }

  async prompts(reader: SkillReader): Promise<ListPromptsResult> {
    const files = await this.files(reader);
    return {
      prompts: files.map((file) => ({ name: promptName(file, files), description: file.description })),
    };
  }

  /** Throws ProtocolError −32602 for one that is not listed. */
  async prompt(name: string, reader: SkillReader): Promise<GetPromptResult> {
    const files = await this.files(reader);
    const file = files.find((each) => promptName(each, files) === name);
    if (file === undefined) throw new ProtocolError(invalidParams, `Unknown prompt: ${name.slice(0, 64)}`);
    return {
      description: file.description,
      messages: [{ role: 'user', content: { type: 'text', text: file.instructions } }],
    };
  }

  /** Digest of the skills as this caller is given them. */
  async stateOf({ caller, agentDefId }: SkillReader): Promise<string> {
    if (agentDefId === undefined) return '';
    try {
      return (await this.catalogs.of(caller, agentDefId)).etag;
    } catch (error) {
      if (error instanceof NotFound) return '';
      throw error;
    }
  }

  private files(reader: SkillReader): Promise<readonly SkillFile[]> {
    return this.faults.translate(reader, () => this.filesOf(reader));
  }

  private async filesOf({ caller, agentDefId, correlationId }: SkillReader): Promise<readonly SkillFile[]> {
    if (agentDefId === undefined) return [];
    try {
      const { content } = await this.catalogs.given(caller, agentDefId, { requestId: correlationId });
      return content.skills.map(skillFileOf);
    } catch (error) {
      // An agent that is not registered where the token reaches has no skills.
      if (error instanceof NotFound) return [];
      throw error;
    }
  }
}

function entryOf({ path, text }: SkillFile): Promise<McpSkill> {
  return skillEntry(path, { 'SKILL.md': text });
}

/** The slug; with the id behind it where two skills have the same. */
function promptName({ slug, skillId }: SkillFile, all: readonly SkillFile[]): string {
  const alone = all.filter((file) => file.slug === slug).length === 1;
  return alone ? slug : `${slug}-${skillId}`;
}

interface SkillFile {
  readonly skillId: string;
  /** Name in the skills format: lower-case letters, digits and hyphens. */
  readonly slug: string;
  /** `<skillId>/<slug>`: the part between `skill://` and `/SKILL.md`. */
  readonly path: string;
  readonly uri: string;
  readonly description: string;
  /** SKILL.md: front matter and instructions. */
  readonly text: string;
  readonly instructions: string;
}

const MAX_DESCRIPTION_LENGTH = 1024;

function skillFileOf(skill: DisclosedCatalog['content']['skills'][number]): SkillFile {
  const { skillId, name, version, tools, contentMarkdown } = skill;
  const slug = folderName(name);
  const path = `${skillId}/${slug}`;
  const description = (skill.description.trim() || name).slice(0, MAX_DESCRIPTION_LENGTH);
  const fields = { name, description, version, tools: tools.map((tool) => tool.name), body: contentMarkdown };
  return {
    ...{ skillId, slug, path, description },
    uri: `skill://${path}/SKILL.md`,
    text: writeSkillMd(fields, null),
    instructions: contentMarkdown,
  };
}
