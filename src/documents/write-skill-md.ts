import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from './json.js';
import {
  allowedTools,
  catalogName,
  descriptionOf,
  firstVersion,
  folderName,
  metadataOf,
  nameOf,
  readSkillMd,
  versionOf,
  type SkillMd,
} from './skill-md.js';
import { writeYaml } from './yaml.js';

/** What a SKILL.md says of a skill. */
export interface SkillMdFields {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The tools that it may use, as it refers to them. */
  readonly tools: readonly string[];
  readonly body: string;
}

/**
 * Writes a SKILL.md. The head that it was imported with stays as it was, byte for byte, but for name, description, version and
 * tools where those have changed since.
 */
export function writeSkillMd(said: SkillMdFields, head: string | null): string {
  return writeHead(said, head) + said.body;
}

export function writeHead(said: Omit<SkillMdFields, 'body'>, head: string | null): string {
  return head === null ? newHead(said) : mended(head, said);
}

/** Tells whether the head says no more than one that is written anew: then nothing is lost where it is not kept. */
export function isPlainHead({ head, fields }: SkillMd): boolean {
  const tools = allowedTools(fields).map(({ reference }) => reference);
  const [name = '', version = ''] = [nameOf(fields), versionOf(fields)];
  return newHead({ name, description: descriptionOf(fields), version, tools }) === head;
}

function newHead({ name, description, version, tools }: Omit<SkillMdFields, 'body'>): string {
  const metadata = { version, ...(folderName(name) === name ? {} : { [catalogName]: name }) };
  return fenced({
    name: folderName(name),
    description,
    metadata,
    ...(tools.length === 0 ? {} : { 'allowed-tools': tools.join(' ') }),
  });
}

function mended(head: string, { name, description, version, tools }: Omit<SkillMdFields, 'body'>): string {
  const { fields } = readSkillMd(head);
  const changes: JsonObject = {};
  const before = metadataOf(fields);
  const { [catalogName]: _, ...metadata } = before;
  if (nameOf(fields) !== name) {
    if (folderName(name) !== name) metadata[catalogName] = name;
    changes['name'] = folderName(name);
  } else if (catalogName in before) metadata[catalogName] = name;
  if ((versionOf(fields) ?? firstVersion) !== version) metadata['version'] = version;
  if (!isDeepStrictEqual(metadata, before)) changes['metadata'] = metadata;
  if (descriptionOf(fields) !== description.trim()) changes['description'] = description;
  const said = allowedTools(fields).map(({ reference }) => reference);
  if (said.join() !== tools.join()) {
    changes['allowed-tools'] = Array.isArray(fields['allowed-tools']) ? [...tools] : tools.join(' ');
  }
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
