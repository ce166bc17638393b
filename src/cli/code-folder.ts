import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isDevice, isSetting } from '../documents/archive-file.js';
import { descriptionOf, nameOf, readSkillMd, versionOf, writeSkillMd } from '../documents/skill-md.js';
import { parseYaml, writeYaml } from '../documents/yaml.js';
import { CliFault, exitCodes } from './output.js';

/** A document as the service takes and gives it. */
export interface CodeDocument {
  readonly kind: string;
  readonly key: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

interface CodeFile {
  readonly path: string;
  readonly text: string;
}

/** The folder of each kind. The name of a file is for people: what counts is the kind and the key in it. */
const folders: Readonly<Record<string, string>> = {
  HostSettings: 'settings',
  Category: 'categories',
  Tag: 'tags',
  Api: 'apis',
  ApiVersion: 'api-versions',
  Workflow: 'workflows',
  Gateway: 'gateways',
  Skill: 'skills',
  Agent: 'agents',
  Webhook: 'webhooks',
};

const skillFile = 'skill.yaml';
const skillMd = 'SKILL.md';

/** Files of one folder, and bytes of one of them. */
const [MAX_FILES, MAX_BYTES] = [50_000, 4 * 1024 * 1024];

/** The files of documents; a skill is a folder with its instructions as SKILL.md. */
function filesOf(documents: readonly CodeDocument[]): readonly CodeFile[] {
  const files = documents.flatMap(filesOfOne);
  const paths = new Map<string, string>();
  for (const { path } of files) {
    const twin = paths.get(path.toLowerCase());
    if (twin !== undefined)
      throw new CliFault(exitCodes.failed, `${twin} and ${path} would be one file where names have no case.`);
    paths.set(path.toLowerCase(), path);
  }
  return files;
}

function filesOfOne({ kind, key, spec }: CodeDocument): readonly CodeFile[] {
  const name = key.split('/').map(fileName).join('/');
  const folder = folders[kind] ?? fileName(kind);
  if (kind !== 'Skill') return [{ path: `${folder}/${name}.yaml`, text: writeYaml({ kind, key, spec }) }];
  const { contentMarkdown, description, version, ...rest } = spec;
  const head = { name: key, description: String(description), version: String(version), tools: [] };
  const place = `${folder}/${fileName(key)}`;
  return [
    { path: `${place}/${skillMd}`, text: writeSkillMd({ ...head, body: String(contentMarkdown) }, null) },
    { path: `${place}/${skillFile}`, text: writeYaml({ kind, key, spec: rest }) },
  ];
}

/**
 * A part of a key as a name that every disk takes and no program reads by itself: other characters become `%` and their code, as
 * does the dot of a hidden name, and one letter of what else an import of folders refuses.
 */
function fileName(part: string): string {
  const safe = part.replaceAll(/[^A-Za-z0-9._@ -]/gu, (letter) =>
    encodeURIComponent(letter).replace(/^[^%].*/, (one) => `%${one.charCodeAt(0).toString(16)}`),
  );
  const plain = safe.slice(0, 200);
  const begun = plain === '' || isSetting(plain) || isDevice(plain) ? coded(plain, 0) : plain;
  return /[. ]$/.test(begun) ? coded(begun, begun.length - 1) : begun;
}

/** Puts the code of one character in its place; of an empty name, that of a dot. */
function coded(name: string, at: number): string {
  const code = (name || '.').charCodeAt(at).toString(16).toUpperCase();
  return `${name.slice(0, at)}%${code}${name.slice(at + 1)}`;
}

/** Writes the files; those that say the same stay as they are. Gives how many were written, and the others that are there. */
export async function writeFolder(
  folder: string,
  documents: readonly CodeDocument[],
): Promise<{ readonly written: number; readonly others: readonly string[] }> {
  const files = filesOf(documents);
  const there = await yamlIn(folder).catch(() => []);
  let written = 0;
  for (const { path, text } of files) {
    const file = join(folder, path);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    written += 1;
  }
  const own = new Set(files.map(({ path }) => path));
  return { written, others: there.filter((path) => !own.has(path)) };
}

/** Reads the documents of a folder. Throws CliFault with the file that can't be read, and why. */
export async function readFolder(folder: string): Promise<readonly CodeDocument[]> {
  const paths = await yamlIn(folder).catch((error: unknown) => {
    throw new CliFault(exitCodes.usage, `${folder} can't be read: ${reasonOf(error)}`);
  });
  if (paths.length === 0)
    throw new CliFault(
      exitCodes.usage,
      `${folder} has no documents: they are files in YAML with kind, key and spec.`,
    );
  const documents: CodeDocument[] = [];
  for (const path of paths) {
    try {
      documents.push(await documentIn(folder, path));
    } catch (error) {
      throw new CliFault(exitCodes.failed, `${join(folder, path)}: ${reasonOf(error)}`);
    }
  }
  return documents;
}

async function documentIn(folder: string, path: string): Promise<CodeDocument> {
  const read: unknown = parseYaml(await textOf(join(folder, path)));
  if (!isDocument(read)) throw new Error('is no document. It needs kind, key and spec, and nothing else.');
  const { kind, key, spec } = read;
  if (kind !== 'Skill' || !path.endsWith(skillFile)) return { kind, key, spec };
  const { fields, body } = readSkillMd(await textOf(join(folder, dirname(path), skillMd)));
  const version = versionOf(fields);
  if (nameOf(fields) !== key) throw new Error(`${skillMd} beside it is named otherwise than the key ${key}.`);
  const head = { description: descriptionOf(fields), ...(version !== undefined && { version }) };
  return { kind, key, spec: { ...head, contentMarkdown: body, ...spec } };
}

function isDocument(value: unknown): value is CodeDocument {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, key, spec, ...others } = value as Partial<CodeDocument>;
  const isWhole = typeof kind === 'string' && typeof key === 'string' && typeof spec === 'object';
  return isWhole && (spec as unknown) !== null && Object.keys(others).length === 0;
}

async function textOf(file: string): Promise<string> {
  const found = await lstat(file);
  if (!found.isFile()) throw new Error('is a link, a pipe or a device. Put the file itself into the folder.');
  if (found.size > MAX_BYTES) throw new Error(`has more than ${String(MAX_BYTES)} bytes.`);
  return readFile(file, 'utf8');
}

/** Paths of all YAML files below a folder, in order; folders whose names begin with a dot are left out. */
async function yamlIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => !entry.isDirectory() && /\.ya?ml$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')));
  if (paths.length > MAX_FILES)
    throw new CliFault(exitCodes.usage, `${folder} has more than ${String(MAX_FILES)} files.`);
  return paths.sort();
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
