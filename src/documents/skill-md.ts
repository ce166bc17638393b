import { isDeepStrictEqual } from 'node:util';
import { semanticVersion } from '../platform/http/schemas.js';
import { isDevice } from './archive-file.js';
import { UnreadableDocument } from './findings.js';
import { readFrontmatter, readTree } from './frontmatter.js';
import { isObject, type Json, type JsonObject } from './json.js';
import { skillDocumentLimits } from './limits.js';
import { writeYaml } from './yaml.js';

/** A SKILL.md (agentskills.io, specification) taken apart: `head` and `body` put together are its text. */
export interface SkillMd {
  /** From the first fence to the second, with the line break after it: as it was written. */
  readonly head: string;
  /** What the head says, unknown members included. */
  readonly fields: JsonObject;
  /** Members whose values are no YAML, and were read as texts. */
  readonly quoted: readonly string[];
  /** Markdown. */
  readonly body: string;
}

const opening = /^\uFEFF?---[ \t]*\r?\n/;
const closing = /^---[ \t]*(?:\r?\n|$(?![\s\S]))/m;

export function looksLikeSkillMd(text: string): boolean {
  const start = opening.exec(text);
  return start !== null && closing.test(text.slice(start[0].length));
}

/** @throws UnreadableDocument `malformed_skill`, and what YAML is refused for, with its place */
export function readSkillMd(text: string): SkillMd {
  const start = opening.exec(text)?.[0] ?? '';
  const rest = text.slice(start.length);
  const end = start === '' ? null : closing.exec(rest);
  if (end === null) {
    throw malformedSkill('It must begin with frontmatter: YAML between two lines of three dashes.');
  }
  const { value: fields, quoted } = readFrontmatter(rest.slice(0, end.index));
  if (!isObject(fields)) throw malformedSkill('Its frontmatter must be a YAML mapping: `name: …`.');
  const at = start.length + end.index + end[0].length;
  return { head: text.slice(0, at), fields, quoted, body: text.slice(at) };
}

/** Reads YAML, and JSON with it, into plain JSON. @throws UnreadableDocument with line and column */
export function readSkillDocument(text: string): Json {
  return readTree(text, skillDocumentLimits);
}

export function malformedSkill(detail: string): UnreadableDocument {
  return new UnreadableDocument('malformed_skill', `SKILL.md can't be read. ${detail}`);
}

/** Member of `metadata` that keeps a name which a SKILL.md can't have. */
const catalogName = 'portal-catalog-name';

/** The version of a skill that says none. */
export const firstVersion = '1.0.0';

/** A tool that a SKILL.md names: as it stands there, and what it may be called here. */
export interface AllowedTool {
  readonly reference: string;
  readonly names: readonly string[];
}

const MAX_TOOLS = 200;
const [MAX_TERMS, MAX_TERM_LENGTH] = [100, 126];

/**
 * Reads `allowed-tools`: a text of names with blanks or commas between, or a list; each may have a pattern in brackets
 * (`Bash(git:*)`), and a server in front (`mcp__accounts__getAccount`).
 */
export function allowedTools(fields: JsonObject): AllowedTool[] {
  const said = fields['allowed-tools'];
  const texts = (Array.isArray(said) ? said : [said]).filter((text) => typeof text === 'string');
  const references = texts.flatMap(
    (text) => text.slice(0, 20_000).match(/[^\s,()]+(?:\([^)]{0,500}\))?/g) ?? [],
  );
  return [...new Set(references)].slice(0, MAX_TOOLS).map((reference) => {
    const name = reference.replace(/\(.*$/s, '');
    const inner = /^mcp__.+?__(.+)$/.exec(name)?.[1];
    return { reference, names: inner === undefined ? [name] : [name, inner] };
  });
}

export function nameOf(fields: JsonObject): string | undefined {
  return textOf(metadataOf(fields)[catalogName]) ?? textOf(fields['name']);
}

export function descriptionOf(fields: JsonObject): string {
  return textOf(fields['description']) ?? '';
}

/** Undefined where it says none that the catalog takes. */
export function versionOf(fields: JsonObject): string | undefined {
  const version = textOf(metadataOf(fields)['version']);
  const { maxLength, pattern } = semanticVersion;
  return version !== undefined && version.length <= maxLength && new RegExp(pattern).test(version)
    ? version
    : undefined;
}

/** Reads `tags` or `categories`, beside the other fields or in `metadata`: a list, or a text with commas between. */
export function termsOf(fields: JsonObject, noun: 'tags' | 'categories'): string[] | undefined {
  const said = fields[noun] ?? metadataOf(fields)[noun];
  const texts = Array.isArray(said) ? said : textOf(said)?.split(',');
  const names = (texts ?? []).flatMap((name) => textOf(name)?.slice(0, MAX_TERM_LENGTH) ?? []);
  return names.length === 0 ? undefined : [...new Set(names)].slice(0, MAX_TERMS);
}

/** Makes the name that a folder and its SKILL.md may have: 1 to 64 of a-z, 0-9 and single dashes between, on every disk. */
export function folderName(name: string): string {
  // More than its beginning is not of use, and to put marks upon one letter in order takes the square of their number.
  const plain = name.slice(0, 1_000).normalize('NFKD').toLowerCase();
  const parts = plain.match(/[a-z0-9]+/g) ?? [];
  const joined = parts.join('-').slice(0, 64).replace(/-$/, '');
  if (isDevice(joined)) return `${joined}-skill`;
  return joined || 'skill';
}

/** Whether a folder may have the name as it is. */
export function isFolderName(name: string): boolean {
  return folderName(name) === name;
}

const metadataOf = ({ metadata }: JsonObject): JsonObject => (isObject(metadata) ? metadata : {});

/** Reads a text that is not blank, without blanks at its ends; a number counts as one. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** What a SKILL.md says of a skill. */
interface SkillMdFields {
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
  const metadata = { version, ...(isFolderName(name) ? {} : { [catalogName]: name }) };
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
  const folder = folderName(name);
  // Agents load a skill only where its name is that of its folder.
  if (folder !== name || (catalogName in before && nameOf(fields) === name)) metadata[catalogName] = name;
  if (nameOf(fields) !== name || textOf(fields['name']) !== folder) changes['name'] = folder;
  if ((versionOf(fields) ?? firstVersion) !== version) metadata['version'] = version;
  if (!isDeepStrictEqual(metadata, before)) changes['metadata'] = metadata;
  if (descriptionOf(fields) !== description.trim()) changes['description'] = description;
  // Other readers take the number for one.
  for (const noun of ['name', 'description']) {
    const before = fields[noun];
    if (typeof before === 'number') changes[noun] ??= String(before);
  }
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
