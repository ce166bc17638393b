import { spelledVariations, unseen } from '../platform/validation/unseen-characters.js';
import {
  promptOf,
  descriptionOf,
  sizeOf,
  type PreviewedSkill,
  type PreviewedTool,
} from './previewed-skill.js';

/** A weakness of a skill; only advice. */
export interface Finding {
  readonly code: FindingCode;
  /** Name of the tool that it is about. */
  readonly toolName?: string;
  readonly detail: string;
}

export const findingCodes = [
  'description_missing',
  'description_vague',
  'description_too_long',
  'duplicate_description',
  'name_collision',
  'parameter_description_missing',
  'too_many_tools',
  'no_tools',
  'content_too_long',
  'hidden_text',
  'raw_html',
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Length at which some agents cut descriptions off. */
const MAX_DESCRIPTION_LENGTH = 2000;
/** Longest description of a SKILL.md (agentskills.io, specification). */
const MAX_SKILL_MD_DESCRIPTION = 1024;
/** Beyond this many tools models choose noticeably worse. */
const MAX_TOOLS = 25;
/** Tokens that a skill should stay below (agentskills.io, specification). */
const MAX_TOKENS = 5000;
const MIN_WORDS = 4;

/** Joiners and flags as well: it is advice, and refuses nothing. */
const invisible = new RegExp(`[${Object.values(unseen).join('')}]|${spelledVariations}`, 'u');

/** Checks the skill, then tool by tool. */
export function lintSkill(skill: PreviewedSkill): Finding[] {
  const { tools } = skill;
  const names = new Map<string, string>();
  const descriptions = new Map<string, string>();
  return [
    ...lintTexts(skill),
    ...tools.flatMap((tool) => [
      ...lintTool(tool),
      ...repeated(names, tool, {
        key: folded(tool.name),
        code: 'name_collision',
        relation: 'has nearly the same name as',
      }),
      ...repeated(descriptions, tool, {
        key: descriptionOf(tool).trim().toLowerCase(),
        code: 'duplicate_description',
        relation: 'is described like',
      }),
      ...collision(tool, skill.otherTools),
    ]),
  ];
}

function lintTexts(skill: PreviewedSkill): Finding[] {
  const { description, contentMarkdown, tools } = skill;
  const { estimatedTokens } = sizeOf(promptOf(skill));
  const found: Finding[] = [];
  const add = (code: FindingCode, detail: string): void => void found.push({ code, detail });
  if (description.trim() === '')
    add('description_missing', 'Say when to use the skill: agents choose by it.');
  else if (isVague(description))
    add('description_vague', 'Say what the skill is for and when to use it, in a sentence.');
  if (description.length > MAX_SKILL_MD_DESCRIPTION) {
    const where = `A SKILL.md has ${String(MAX_SKILL_MD_DESCRIPTION)} characters at most`;
    add(
      'description_too_long',
      `The description has ${String(description.length)} characters. ${where}; shorten it.`,
    );
  }
  if (tools.length === 0) add('no_tools', 'There is no tool in it that could be given to an agent.');
  if (tools.length > MAX_TOOLS) {
    add(
      'too_many_tools',
      `It has ${String(tools.length)} tools. Beyond ${String(MAX_TOOLS)} models choose worse: split it.`,
    );
  }
  if (estimatedTokens > MAX_TOKENS) {
    add(
      'content_too_long',
      `It takes some ${String(estimatedTokens)} tokens of every prompt. Stay below ${String(MAX_TOKENS)}.`,
    );
  }
  const line = (at: number): string => `line ${String(contentMarkdown.slice(0, at).split('\n').length)}`;
  const hidden = contentMarkdown.search(invisible);
  if (hidden >= 0)
    add(
      'hidden_text',
      `There are invisible characters in ${line(hidden)}: an agent reads what you don't see.`,
    );
  const comment = contentMarkdown.indexOf('<!--');
  if (comment >= 0)
    add('hidden_text', `There is an HTML comment in ${line(comment)}: an agent reads it, a reader does not.`);
  const markup = contentMarkdown.search(/<\/?[a-zA-Z][\w-]{0,30}[\s/>]/);
  if (markup >= 0) add('raw_html', `There is HTML in ${line(markup)}. Write Markdown.`);
  return found;
}

function lintTool(tool: PreviewedTool): Finding[] {
  const found: Finding[] = [];
  const add = (code: FindingCode, detail: string): void =>
    void found.push({ code, toolName: tool.name, detail });
  const description = descriptionOf(tool);
  if (description.trim() === '') add('description_missing', 'Say what the tool does: models choose by it.');
  else if (isVague(description))
    add('description_vague', `“${description.trim().slice(0, 60)}” does not tell it from other tools.`);
  if (description.length > MAX_DESCRIPTION_LENGTH) {
    add(
      'description_too_long',
      `Its description has ${String(description.length)} characters; some agents cut it off at ${String(MAX_DESCRIPTION_LENGTH)}.`,
    );
  }
  const silent = tool.params
    .filter(({ description = '' }) => description.trim() === '')
    .map(({ name }) => name);
  if (silent.length > 0) {
    const names = silent.slice(0, 10).join(', ');
    add('parameter_description_missing', `Say what to give for ${names}${silent.length > 10 ? ', …' : ''}.`);
  }
  return found;
}

/** Reports each tool whose key an earlier one has; `seen` collects the keys. */
function repeated(
  seen: Map<string, string>,
  tool: PreviewedTool,
  { key, code, relation }: { readonly key: string; readonly code: FindingCode; readonly relation: string },
): Finding[] {
  const other = seen.get(key);
  if (other === undefined) seen.set(key, tool.name);
  if (other === undefined || key === '') return [];
  return [{ code, toolName: tool.name, detail: `${tool.name} ${relation} ${other}.` }];
}

function collision(tool: PreviewedTool, others: readonly string[]): Finding[] {
  const other = others.find((name) => name !== tool.name && folded(name) === folded(tool.name));
  if (other === undefined) return [];
  const detail = `${tool.name} has nearly the same name as ${other}, which the agent has from another skill.`;
  return [{ code: 'name_collision', toolName: tool.name, detail }];
}

const folded = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

const isVague = (text: string): boolean => (text.match(/[\p{L}\p{N}]+/gu) ?? []).length < MIN_WORDS;
