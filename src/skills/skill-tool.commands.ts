import { v5 } from 'uuid';
import { Command } from '../eventsourcing/command.js';
import type { Need } from './workflow-tools.js';
import type { AccessLevel } from './skill-tool.events.js';

/** A link is an aggregate of its own, its id derived from what it joins: one link per pair, also under races. */
export function skillToolId(skillId: string, toolId: string): string {
  return v5(toolId, skillId);
}

interface Pair {
  readonly skillId: string;
  readonly toolId: string;
}

/** Links a tool to a skill, or sets level and config of the link that is there. */
export class LinkTool extends Command<
  Pair & { readonly accessLevel: AccessLevel; readonly config: Readonly<Record<string, unknown>> }
> {
  readonly aggregateType = 'SkillTool';
}

/** Takes the tool from the skill, also when an agent has the skill and this is its last active tool. */
export class UnlinkTool extends Command<
  Pair & {
    /** What the skill's workflows call that this tool alone answers. */
    readonly needs: readonly Need[];
  }
> {
  readonly aggregateType = 'SkillTool';
}

export type SkillToolCommand = LinkTool | UnlinkTool;
