import { isUtf8 } from 'node:buffer';
import { Invalid } from '../../kernel/errors.js';
import { checkFiles, type ArchiveFile } from '../../documents/archive-file.js';
import { readArchive } from '../../documents/archive.stream.js';
import { type DocumentWarning, UnreadableDocument, WarningLog } from '../../documents/findings.js';
import { below, type Json } from '../../documents/json.js';
import {
  allowedTools,
  descriptionOf,
  isPlainHead,
  looksLikeSkillMd,
  nameOf,
  readSkillDocument,
  readSkillFolder,
  termsOf,
  versionOf,
  type SkillMd,
} from '../../documents/skill-md.js';
import { skillFolderLimits } from '../../documents/limits.js';
import { parseJsonBody } from '../../platform/http/request-body.js';
import { Problem } from '../../platform/http/problem.js';
import { jsonValidator } from '../../platform/validation/validator.js';
import {
  importBody,
  skillDocument,
  type ImportBody,
  type ImportOptions,
  type SkillDocument,
} from './skill-document.schemas.js';
import type { IncomingSkill } from './skill-import.js';
import { refuseUnsafe, refuseUnsafeFiles, type TextsOf } from '../skill-safety.js';
import { newSkill, type SkillFields } from '../skill.fields.js';

/** Bytes: twice what a folder may hold, so that it fits as Base64 too. */
const MAX_BODY = 2 * skillFolderLimits.bytes;

const checkBody = jsonValidator(importBody);
const checkDocument = jsonValidator(skillDocument);
const checkFields = jsonValidator(newSkill);

/**
 * Reads the body of an import: JSON around a document or the files of a folder, the text of a SKILL.md, or an archive.
 * It is read in the main thread: every part is bounded to some 50 ms, or yields to other requests.
 *
 * @throws Invalid with the place of each fault; `skill_contains_secret` for fields and files
 */
export async function readSkill(
  { body, mediaType }: { readonly body: Buffer; readonly mediaType: string },
  options: ImportOptions,
  of: TextsOf,
): Promise<OfferedSkill> {
  if (body.length > MAX_BODY) throw tooLarge();
  try {
    if (mediaType.startsWith('application/json')) return await fromJson(parseJsonBody(body), options, of);
    const isText = mediaType.startsWith('text/markdown');
    const files = isText ? [{ path: 'SKILL.md', bytes: body }] : await readArchive(body, skillFolderLimits);
    return { skill: await fromFolder(files, of), ...options };
  } catch (fault) {
    if (!(fault instanceof UnreadableDocument)) throw fault;
    const { code, detail, pointer } = fault;
    throw new Invalid(code, detail, [{ pointer, detail }]);
  }
}

/** A skill with the options of its import. */
export interface OfferedSkill extends ImportOptions {
  readonly skill: IncomingSkill;
}

/** Reads a JSON body, whose own options count beside those of the query. */
async function fromJson(value: unknown, options: ImportOptions, of: TextsOf): Promise<OfferedSkill> {
  refuse(checkBody(value), '');
  const given = value as ImportBody;
  return {
    skill: await fromSource(given, of),
    createTaxonomy: given.createTaxonomy || options.createTaxonomy,
    dryRun: given.dryRun || options.dryRun,
  };
}

async function fromSource({ document, files }: Partial<ImportBody>, of: TextsOf): Promise<IncomingSkill> {
  if ((document === undefined) === (files === undefined)) {
    const detail = 'Send either document or files.';
    throw new Invalid('invalid_body', detail, [{ pointer: '', detail }]);
  }
  if (files !== undefined) return fromFolder(files.map(fileOf), of);
  if (typeof document === 'string' && looksLikeSkillMd(document)) {
    return fromFolder([{ path: 'SKILL.md', bytes: Buffer.from(document) }], of);
  }
  return fromDocument(typeof document === 'string' ? readSkillDocument(document) : (document as Json), of);
}

function fileOf(
  { path, content, base64 }: NonNullable<ImportBody['files']>[number],
  at: number,
): ArchiveFile {
  if ((content === undefined) === (base64 === undefined)) {
    const detail = 'Give either content or base64.';
    throw new Invalid('invalid_body', detail, [{ pointer: `/files/${String(at)}`, detail }]);
  }
  return { path, bytes: content === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(content) };
}

async function fromDocument(value: Json, of: TextsOf): Promise<IncomingSkill> {
  refuse(checkDocument(value), '/document');
  const { tools, formatVersion: _, ...fields } = value as SkillDocument;
  await refuseUnsafe({ document: value }, of);
  const wanted = tools?.map((tool) => ({ ...tool, reference: tool.name, names: [tool.name] }));
  return { ...fields, ...(wanted && { tools: wanted }), complete: true };
}

async function fromFolder(all: readonly ArchiveFile[], of: TextsOf): Promise<IncomingSkill> {
  checkFiles(all, skillFolderLimits);
  const { skill, files } = readSkillFolder(all);
  const fields = {
    name: nameOf(skill.fields) ?? '',
    description: descriptionOf(skill.fields),
    contentMarkdown: skill.body,
  };
  const checked: Partial<SkillFields> = { ...fields };
  refuse(checkFields(checked), '/SKILL.md');
  await refuseUnsafeFiles(textsOf(skill, files), of);
  const version = versionOf(skill.fields);
  const stored = files.map(({ path, bytes }) => ({ path, base64: Buffer.from(bytes).toString('base64') }));
  return {
    ...fields,
    ...(version !== undefined && { version }),
    tags: termsOf(skill.fields, 'tags'),
    categories: termsOf(skill.fields, 'categories'),
    tools: allowedTools(skill.fields).map((tool) => ({ ...tool, config: {} })),
    complete: false,
    folder: { head: skill.head, files: stored },
    isPlain: files.length === 0 && isPlainHead(skill),
    warnings: warningsOf(skill),
  };
}

/** Warns of what other programs would not read, or not choose. */
function warningsOf(skill: SkillMd): readonly DocumentWarning[] {
  const warnings = new WarningLog();
  if (descriptionOf(skill.fields) === '') {
    const detail =
      'SKILL.md has no description: agents choose a skill by it. Say what it is for and when to use it.';
    warnings.warn('description_missing', '/SKILL.md/description', detail);
  }
  for (const key of skill.quoted) {
    const detail = `The value of "${key}" is no YAML and was read as the text that it is; not every program does. Put it in quotes.`;
    warnings.warn('frontmatter_mended', below('', 'SKILL.md', key), detail);
  }
  return warnings.all();
}

/** The texts by path; other files can't be searched for secrets. */
function textsOf({ head, body }: SkillMd, files: readonly ArchiveFile[]): Record<string, string> {
  const texts = files.filter(({ bytes }) => isUtf8(bytes) && !bytes.includes(0));
  const entries = texts.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()] as const);
  return { 'SKILL.md': head + body, ...Object.fromEntries(entries) };
}

function tooLarge(): Problem {
  const detail = `The skill is longer than ${String(MAX_BODY / 1024)} KiB. Leave out what is not needed.`;
  return new Problem(413, 'body_too_large', detail);
}

function refuse(
  faults: readonly { readonly pointer: string; readonly detail: string }[],
  below: string,
): void {
  if (faults.length === 0) return;
  const placed = faults.map(({ pointer, detail }) => ({ pointer: below + pointer, detail }));
  throw new Invalid('invalid_body', 'The skill can’t be accepted.', placed);
}
