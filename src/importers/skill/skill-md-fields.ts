import type { Json, JsonObject } from '../imported.js';
import { semanticVersion } from '../../platform/http/schemas.js';
import { isObject } from '../json-reading.js';

/** Member of `metadata` that keeps a name which a SKILL.md can't have. */
export const catalogName = 'portal-catalog-name';

/** The version of a skill that says none. */
export const firstVersion = '1.0.0';

/** A tool that a SKILL.md names: as it stands there, and what it may be called here. */
export interface AllowedTool {
  readonly reference: string;
  readonly names: readonly string[];
}

const longestList = 200;
const [mostTerms, longestTerm] = [100, 126];

/**
 * `allowed-tools`: a text of names with blanks or commas between, or a list; each may have a pattern in brackets
 * (`Bash(git:*)`), and a server in front (`mcp__accounts__getAccount`).
 */
export function allowedTools(fields: JsonObject): AllowedTool[] {
  const said = fields['allowed-tools'];
  const texts = (Array.isArray(said) ? said : [said]).filter((text) => typeof text === 'string');
  const references = texts.flatMap(
    (text) => text.slice(0, 20_000).match(/[^\s,()]+(?:\([^)]{0,500}\))?/g) ?? [],
  );
  return [...new Set(references)].slice(0, longestList).map((reference) => {
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

/** `tags` or `categories`, beside the other fields or in `metadata`: a list, or a text with commas between. */
export function termsOf(fields: JsonObject, noun: 'tags' | 'categories'): string[] | undefined {
  const said = fields[noun] ?? metadataOf(fields)[noun];
  const texts = Array.isArray(said) ? said : textOf(said)?.split(',');
  const names = (texts ?? []).flatMap((name) => textOf(name)?.slice(0, longestTerm) ?? []);
  return names.length === 0 ? undefined : [...new Set(names)].slice(0, mostTerms);
}

/** The name that a folder and its SKILL.md may have: 1 to 64 of a-z, 0-9 and single dashes between. */
export function folderName(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 64).replace(/-$/, '') || 'skill';
}

export const metadataOf = ({ metadata }: JsonObject): JsonObject => (isObject(metadata) ? metadata : {});

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
