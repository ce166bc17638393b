/** The instructions that a model gets beside the tools: the skills that match, within a budget, and what to ask for. Pure. */
import type { CatalogDocument, CatalogSkill } from './catalog-document.js';
import type { OfferedTool } from './offered-tool.js';
import type { Substitute } from './related-tools.js';

/**
 * Skills that match and have an offered tool, best first, each followed by those that it builds on.
 *
 * @param matched ids, best first
 */
export function skillsFor(
  { skills }: CatalogDocument,
  matched: readonly string[],
  tools: readonly OfferedTool[],
): readonly CatalogSkill[] {
  const byId = new Map(skills.map((skill) => [skill.skillId, skill]));
  const offered = new Set(tools.flatMap(({ toolId }) => toolId ?? []));
  const hasTool = ({ tools: own }: CatalogSkill): boolean => own.some(({ toolId }) => offered.has(toolId));
  const chosen = new Set<CatalogSkill>();
  const choose = (skill: CatalogSkill | undefined): void => {
    if (skill === undefined || chosen.has(skill)) return;
    chosen.add(skill);
    for (const id of skill.dependsOn) choose(byId.get(id));
  };
  for (const id of matched) {
    const skill = byId.get(id);
    if (skill !== undefined && hasTool(skill)) choose(skill);
  }
  return [...chosen];
}

/**
 * Writes the instructions for a prompt. Ends a skill's text that does not fit at a line, and names the skills after
 * it.
 *
 * @param limit characters
 */
export function skillInstructions(skills: readonly CatalogSkill[], limit: number): string {
  let left = limit;
  const parts: string[] = [];
  for (const { name, description, contentMarkdown } of skills) {
    const opening = `<skill name="${attribute(name)}">\n${inside(description)}`.trimEnd();
    const closing = '\n</skill>';
    const room = left - opening.length - closing.length;
    if (room < 0) break;
    const body = shortened(inside(contentMarkdown).trim(), room - 2);
    const part = opening + (body === '' ? '' : `\n\n${body}`) + closing;
    parts.push(part);
    left -= part.length + 2;
  }
  return parts.join('\n\n');
}

/** Writes what must be asked before a tool can be called. */
export function askFirstText(tools: readonly OfferedTool[]): string {
  const lines = tools
    .filter(({ askFirst }) => askFirst.length > 0)
    .map(({ modelName, askFirst }) => `- ${modelName}: ${askFirst.join(', ')}`);
  return lines.length === 0
    ? ''
    : `Before you call one of these tools, ask the user for what it needs, unless it is known:\n${lines.join('\n')}`;
}

/** Writes how tools belong together. */
export function relationsText(tools: readonly OfferedTool[], substitutes: readonly Substitute[]): string {
  const lines = tools.flatMap(({ modelName, related }) =>
    related.map(({ modelName: other, reason, relation }) =>
      reason === 'dependency'
        ? `- ${modelName}: ${inside(relation?.replaceAll('_', ' ') ?? 'goes with')} ${other}`
        : `- ${modelName}: where it fails, ${other} may do instead`,
    ),
  );
  const lost = substitutes.map((one) => `- ${one.lost} can't be called now: ${one.instead} may do instead`);
  return [...lines, ...lost].length === 0
    ? ''
    : `How these tools belong together:\n${[...lines, ...lost].join('\n')}`;
}

const cut = '\n[…]';

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf('\n', limit - cut.length);
  return end <= 0 ? '' : text.slice(0, end).trimEnd() + cut;
}

const attribute = (text: string): string => text.replaceAll(/["<>\n]/g, ' ').trim();

/** Keeps a skill's text from closing its own block. */
const inside = (text: string): string => text.replaceAll(/<(\/?skill\b)/gi, '‹$1');
