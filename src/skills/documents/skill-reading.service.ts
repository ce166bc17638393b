import { isUtf8 } from 'node:buffer';
import { type Fault, Invalid } from '../../kernel/errors.js';
import { checkFiles, type ArchiveFile } from '../../documents/archive-file.js';
import { readArchive } from '../../documents/archive.stream.js';
import { UnreadableDocument, WarningLog } from '../../documents/findings.js';
import { below, type Json } from '../../documents/json.js';
import {
  allowedTools,
  descriptionOf,
  isPlainHead,
  looksLikeSkillMd,
  nameOf,
  readSkillDocument,
  termsOf,
  versionOf,
  type SkillMd,
} from '../../documents/skill-md.js';
import { isSkillMd, readSkillFolder, type SkillFolder } from '../../documents/skill-folder.js';
import { warnOfLinks } from '../../documents/skill-links.js';
import { warnOfStandard } from '../../documents/skill-standard.js';
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
    throw new Invalid(fault.code, fault.detail, fault.faults);
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
  const folder = readSkillFolder(all);
  const { skill, files } = folder;
  const fields = {
    name: nameOf(skill.fields) ?? '',
    description: descriptionOf(skill.fields),
    contentMarkdown: skill.body,
  };
  const checked: Partial<SkillFields> = { ...fields };
  refuse(checkFields(checked), '/SKILL.md');
  const texts = textsOf(skill, files);
  const accepted = await refuseUnsafeFiles(texts, of);
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
    warnings: await warningsOf(folder, texts, accepted),
  };
}

/** Warns of what other programs would not read, choose or find, and of what was taken in at its author's word. */
async function warningsOf(
  { skill, name, files }: SkillFolder,
  texts: Readonly<Record<string, string>>,
  accepted: readonly Fault[],
) {
  const warnings = new WarningLog();
  warnOfStandard(skill, name, warnings);
  for (const { path } of files.filter((file) => isSkillMd(file.path)))
    warnings.warn('nested_skill', below('', path), `${path} ${nestedSkill}`);
  const pages = Object.entries(texts).filter(
    ([path, { length }]) => /\.md$/i.test(path) && length <= MAX_PAGE,
  );
  const paths = new Set(['SKILL.md', ...files.map(({ path }) => path)]);
  await warnOfLinks(
    pages.map(([path, text]) => ({ path, text })),
    paths,
    warnings,
  );
  const examples = accepted.map(({ pointer, detail }) => ({
    code: 'finding_accepted',
    pointer,
    detail: `${pointer.slice(1)}: ${detail}.`,
  }));
  return [...warnings.all(), ...examples];
}

const nestedSkill =
  'is kept as a file of this skill, and is no skill by itself. Where it should be one, send its folder by itself.';

/** Characters of a page whose links are looked at. */
const MAX_PAGE = 262_144;

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
