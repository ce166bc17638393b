import { cleanDocument } from '../clean-document.js';
import type { ImportLimits } from '../import-limits.js';
import { UnreadableDocument, type Json, type JsonObject } from '../imported.js';
import { isObject } from '../json-reading.js';
import { WarningLog } from '../warning-log.js';
import { readYaml } from '../yaml/read-yaml.js';
import { frontmatterLimits, skillDocumentLimits } from './skill-limits.js';

/** A SKILL.md (agentskills.io, specification) taken apart: `head` and `body` put together are its text. */
export interface SkillMd {
  /** From the first fence to the second, with the line break after it: as it was written. */
  readonly head: string;
  /** What the head says, unknown members included. */
  readonly fields: JsonObject;
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
  const { head, body } = cut(text, start.length + end.index + end[0].length);
  const fields = readTree(rest.slice(0, end.index), frontmatterLimits);
  if (!isObject(fields)) throw malformedSkill('Its frontmatter must be a YAML mapping: `name: …`.');
  return { head, fields, body };
}

/** Reads YAML, and JSON with it, into plain JSON. @throws UnreadableDocument with line and column */
export function readSkillDocument(text: string): Json {
  return readTree(text, skillDocumentLimits);
}

export function malformedSkill(detail: string): UnreadableDocument {
  return new UnreadableDocument('malformed_skill', `SKILL.md can't be read. ${detail}`);
}

function readTree(text: string, limits: ImportLimits): Json {
  if (Buffer.byteLength(text) > limits.bytes) {
    const detail = `The text is longer than ${String(limits.bytes / 1024)} KiB. Shorten it.`;
    throw new UnreadableDocument('document_too_large', detail);
  }
  return cleanDocument(readYaml(text, limits, { onDuplicate: () => undefined }), limits, new WarningLog());
}

function cut(text: string, at: number): { readonly head: string; readonly body: string } {
  return { head: text.slice(0, at), body: text.slice(at) };
}
