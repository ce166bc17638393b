import type { Json, JsonObject } from '../imported.js';
import { isObject } from '../json-reading.js';
import { writeYaml } from '../yaml/write-yaml.js';
import { readSkillMd, type SkillMd } from './read-skill-md.js';
import {
  allowedTools,
  catalogName,
  descriptionOf,
  folderName,
  nameOf,
  versionOf,
} from './skill-md-fields.js';

/** What a SKILL.md says of a skill. */
export interface SkillMdWords {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Names of the tools that it may use. */
  readonly tools: readonly string[];
  readonly body: string;
}

/**
 * A SKILL.md. The head that it was imported with stays as it was, byte for byte, but for the name and the description
 * where those have changed since.
 */
export function writeSkillMd(words: SkillMdWords, head: string | null): string {
  return (head === null ? newHead(words) : mended(head, words)) + words.body;
}

/** Whether the head says no more than one that is written anew: then nothing is lost where it is not kept. */
export function isPlainHead({ head, fields, body }: SkillMd): boolean {
  const tools = allowedTools(fields).map(({ reference }) => reference);
  const [name = '', version = ''] = [nameOf(fields), versionOf(fields)];
  return newHead({ name, description: descriptionOf(fields), version, tools, body }) === head;
}

function newHead({ name, description, version, tools }: SkillMdWords): string {
  const metadata = { version, ...(folderName(name) === name ? {} : { [catalogName]: name }) };
  return fenced({
    name: folderName(name),
    description,
    metadata,
    ...(tools.length === 0 ? {} : { 'allowed-tools': tools.join(' ') }),
  });
}

function mended(head: string, { name, description }: SkillMdWords): string {
  const { fields } = readSkillMd(head);
  const changes: JsonObject = {};
  if (nameOf(fields) !== name) {
    const { [catalogName]: _, ...metadata } = isObject(fields['metadata']) ? fields['metadata'] : {};
    const kept = folderName(name) === name ? metadata : { ...metadata, [catalogName]: name };
    changes['name'] = folderName(name);
    if (Object.keys(kept).length > 0 || 'metadata' in fields) changes['metadata'] = kept;
  }
  if (descriptionOf(fields) !== description.trim()) changes['description'] = description;
  const text = Object.entries(changes).reduce(withMember, head);
  // What is written otherwise than one member a line is written anew.
  return says(text, { ...fields, ...changes }) ? text : fenced({ ...fields, ...changes });
}

/** Puts a member of the head anew in the place that it has, with the lines that belong to it. */
function withMember(head: string, [member, value]: [string, Json]): string {
  const text = writeYaml({ [member]: value });
  const place = new RegExp(`^${member}[ \\t]*:.*\\r?\\n(?:[ \\t]+.*\\r?\\n|[ \\t]*\\r?\\n)*`, 'm');
  if (place.test(head)) return head.replace(place, () => text);
  return head.replace(
    /^---[ \t]*\r?\n(?![\s\S]*^---[ \t]*\r?\n)|^---[ \t]*$(?![\s\S])/m,
    (fence) => text + fence,
  );
}

function says(head: string, fields: JsonObject): boolean {
  try {
    return writeYaml(sorted(readSkillMd(head).fields)) === writeYaml(sorted(fields));
  } catch {
    return false;
  }
}

const sorted = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));

function fenced(fields: JsonObject): string {
  return `---\n${writeYaml(fields)}---\n`;
}
