import { valueChanges } from '../importers/shared.js';
import { oneLine } from './output.js';

/** The part of a catalog that is compared. */
export interface ComparedCatalog {
  readonly catalogVersion: number;
  readonly agent: object;
  readonly skills: readonly (object & {
    readonly skillId: string;
    readonly name: string;
    readonly tools: readonly (object & { readonly toolId: string; readonly name: string })[];
  })[];
}

/** Values that are shown of one skill or tool. */
const MAX_VALUES = 8;

/** What an agent is given anew, no more, and otherwise than before, a line each. */
export function catalogChanges(before: ComparedCatalog, after: ComparedCatalog): string[] {
  const skills = new Map(before.skills.map((skill) => [skill.skillId, skill]));
  const left = new Map(skills);
  const lines = differences('agent', before.agent, after.agent);
  for (const skill of after.skills) {
    const was = skills.get(skill.skillId);
    left.delete(skill.skillId);
    if (was === undefined)
      lines.push(`+ skill ${skill.name}: ${skill.tools.map(({ name }) => name).join(', ')}`);
    else lines.push(...skillChanges(was, skill));
  }
  return [...lines, ...[...left.values()].map(({ name }) => `- skill ${name}`)];
}

type Skill = ComparedCatalog['skills'][number];

function skillChanges(before: Skill, after: Skill): string[] {
  const { tools: had, ...was } = before;
  const { tools, ...is } = after;
  const left = new Map(had.map((tool) => [tool.toolId, tool]));
  const lines = differences(`skill ${after.name}`, was, is);
  for (const tool of tools) {
    const old = left.get(tool.toolId);
    left.delete(tool.toolId);
    const label = `tool ${tool.name} of ${after.name}`;
    lines.push(...(old === undefined ? [`+ ${label}`] : differences(label, old, tool)));
  }
  return [...lines, ...[...left.values()].map(({ name }) => `- tool ${name} of ${after.name}`)];
}

function differences(label: string, before: object, after: object): string[] {
  return valueChanges(before, after, MAX_VALUES).map(
    ({ at, before: was = '(none)', after: is = '(none)' }) =>
      `~ ${label} ${at}: ${oneLine(was, 100)} → ${oneLine(is, 100)}`,
  );
}
