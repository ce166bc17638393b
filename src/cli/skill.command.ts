import { mkdir, open, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Command, Option } from 'commander';
import { type ArchiveFile, isFittingPath } from '../documents/archive-file.js';
import { readArchive, writeZip } from '../documents/archive.stream.js';
import { skillFolderLimits } from '../documents/limits.js';
import { CliFault, exitCodes, parsedAnswer, printAnswer, understood } from './output.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { pathOf } from './named-record.js';
import { aboutOf, addNoun } from './noun.command.js';
import { nouns } from './nouns.js';

interface ExportOptions extends ConnectionOptions {
  readonly format: string;
  readonly out?: string;
}

interface LinkedTool {
  readonly toolId: string;
  readonly name: string;
  readonly apiId: string | null;
  readonly apiVersion: string | null;
}

interface ImportReport {
  readonly id: string;
  readonly name: string;
  readonly created: boolean;
  readonly changed: boolean;
  readonly unresolved: readonly {
    readonly kind: string;
    readonly reference: string;
    readonly reason: string;
    readonly choices?: readonly LinkedTool[];
  }[];
  readonly tools: readonly (LinkedTool & { readonly linked: boolean })[];
  readonly taxonomyCreated: readonly { readonly kind: string; readonly name: string }[];
  readonly warnings?: readonly { readonly detail: string }[];
}

interface ImportOptions extends ConnectionOptions {
  readonly createTaxonomy?: boolean;
  readonly dryRun?: boolean;
}

const importExamples = `
A skill of the same name is changed, else one is made. Importing the same again changes nothing.

Examples:
  A folder with a SKILL.md, as agents take it in:
    $ portal-catalog skill import ./account-management
  The same, packed; or a structured document from a repository:
    $ portal-catalog skill import account-management.zip
    $ portal-catalog skill import account-management.skill.yaml`;

const exportExamples = `
Examples:
  The folder that agents take in, below the present one:
    $ portal-catalog skill export 0192f0c4-… --format folder
  A structured document, to be kept in a repository:
    $ portal-catalog skill export 0192f0c4-… --format yaml > account-management.skill.yaml`;

export function skillCommand(): Command {
  const command = new Command('skill')
    .description(`${aboutOf('skill')}; bring them in and out as folders and documents`)
    .addHelpText('after', `${importExamples}\n${exportExamples.trimStart().replace('Examples:\n', '')}`);
  command.addCommand(importing());
  command.addCommand(exporting());
  return addNoun(command, 'skill');
}

function importing(): Command {
  const command = new Command('import')
    .description('import a skill: a folder, SKILL.md, zip, tar, or a document in YAML or JSON')
    .argument('<path>', 'folder or file')
    .option('--create-taxonomy', 'make categories and tags that the host has not')
    .option('--dry-run', 'print what would be done, and do nothing')
    .addHelpText('after', importExamples);
  return connectionOptions(command).action(async (path: string, options: ImportOptions) => {
    const client = new CatalogClient(options);
    const { type, bytes } = await readable(path, bodyOf(path));
    const { createTaxonomy = false, dryRun = false } = options;
    const send = (dry: boolean) =>
      client.upload(
        `/skills/import?createTaxonomy=${String(createTaxonomy)}&dryRun=${String(dry)}`,
        type,
        bytes,
      );
    const dryRunAnswer = await send(true);
    understood(() => {
      refuseAmbiguous(parsedAnswer(dryRunAnswer) as ImportReport);
    });
    const answer = dryRun ? dryRunAnswer : await send(false);
    printAnswer(options, answer, (text) => described(JSON.parse(text) as ImportReport, dryRun));
  });
}

function exporting(): Command {
  const command = new Command('export')
    .description('export a skill')
    .argument('<skill>', 'skill to export: its id or its name')
    .addOption(
      new Option('--format <format>', 'what to write')
        .choices(['folder', 'zip', 'tar', 'skill-md', 'yaml', 'json'])
        .default('yaml'),
    )
    .option('--out <path>', 'file to write, or directory to write the folder into')
    .addHelpText('after', exportExamples);
  return connectionOptions(command).action(async (named: string, options: ExportOptions) => {
    const { format, out } = options;
    const wanted = format === 'folder' ? 'zip' : format;
    const client = new CatalogClient(options);
    const bytes = await client.download(
      `${await pathOf(client, nouns.skill, named)}/export?format=${wanted}`,
    );
    if (format === 'folder') {
      const files = await readArchive(bytes, skillFolderLimits);
      await writeFiles(out ?? '.', files);
      process.stdout.write(files.map((file) => `${file.path}\n`).join(''));
    } else if (out !== undefined) await writeFiles('.', [{ path: out, bytes }]);
    else process.stdout.write(bytes);
  });
}

/** Makes the body of the request: packs a folder, puts a document into JSON. */
async function bodyOf(path: string): Promise<{ readonly type: string; readonly bytes: Uint8Array }> {
  if ((await stat(path)).isDirectory()) {
    return { type: 'application/zip', bytes: await writeZip(await filesOf(path)) };
  }
  const bytes = await readFile(path);
  if (/[.]zip$/i.test(path)) return { type: 'application/zip', bytes };
  if (/[.](tar|tgz|tar[.]gz)$/i.test(path)) return { type: 'application/gzip', bytes };
  if (/[.]md$/i.test(path)) return { type: 'text/markdown', bytes };
  const document = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify({ document })) };
}

/**
 * Reads the files in a folder without hidden ones, below its name where that fits. What is linked to and lies in the folder is read as the
 * file that it is.
 *
 * @throws CliFault with the links that lead out of the folder, or to no file
 */
export async function filesOf(folder: string): Promise<ArchiveFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const top = await realpath(folder);
  const shown = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length))
    .filter((path) => !path.split(sep).some((step) => step.startsWith('.')));
  const files = await Promise.all(
    shown.sort().map(async (path) => ({
      path: path.split(sep).join('/'),
      bytes: await bytesWithin(top, path),
    })),
  );
  const lost = files.flatMap(({ path, bytes }) => (bytes === undefined ? [path] : []));
  if (lost.length > 0) {
    const detail = `${lost.slice(0, 10).join(', ')}: a link to no file of the folder. Put the file in its place, or take the link away.`;
    throw new CliFault(exitCodes.usage, detail);
  }
  const name = basename(top);
  const read = files.flatMap(({ path, bytes }) => (bytes === undefined ? [] : [{ path, bytes }]));
  const below = read.map(({ path, bytes }) => ({ path: `${name}/${path}`, bytes }));
  return below.every(({ path }) => isFittingPath(path)) ? below : read;
}

/** Undefined where it is a link that leads out of the folder, or to no file. */
async function bytesWithin(top: string, path: string): Promise<Uint8Array | undefined> {
  try {
    const file = await realpath(join(top, path));
    if (!file.startsWith(join(top, sep)) || !(await stat(file)).isFile()) return undefined;
    return await readFile(file);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

async function readable<T>(path: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFault(exitCodes.usage, `${basename(path)} can't be read: ${reason}`);
  }
}

function whoseOf({ apiId, apiVersion }: LinkedTool): string {
  return apiId === null ? 'of no API' : `of the API ${apiId} ${apiVersion ?? ''}`.trimEnd();
}

/** Refuses names that several tools have, which could link another tool than the author meant. */
function refuseAmbiguous({ unresolved }: ImportReport): void {
  const unclear = unresolved.filter(({ choices = [] }) => choices.length > 0);
  if (unclear.length === 0) return;
  const lines = unclear.flatMap(({ reference, choices = [] }) => [
    `${reference} may be any of:`,
    ...choices.map((tool) => `  ${tool.name} ${whoseOf(tool)} (${tool.toolId})${settling(tool, choices)}`),
  ]);
  throw new CliFault(exitCodes.refused, `Nothing was written. ${lines.join('\n')}`);
}

/** Names a tool unambiguously; with the version only where another one of the API has a tool of that name. */
function settling({ apiId, apiVersion, name, toolId }: LinkedTool, choices: readonly LinkedTool[]): string {
  if (apiId === null) return '';
  const hasRival = choices.some((other) => other.apiId === apiId && other.toolId !== toolId);
  return `: write ${hasRival && apiVersion !== null ? `${apiId}@${apiVersion}` : apiId}/${name}`;
}

function described(report: ImportReport, dryRun: boolean): string[] {
  const { id, name, created, changed, tools, unresolved, taxonomyCreated, warnings = [] } = report;
  const missing = unresolved.filter(({ kind }) => kind === 'tool').length;
  const done = created ? 'made' : changed ? 'changed' : 'unchanged';
  return [
    `${name}: ${done}${dryRun ? ' (dry run: nothing was written)' : ''}`,
    ...taxonomyCreated.map((term) => `  ${term.kind} ${term.name}: made`),
    ...(tools.length + missing === 0
      ? []
      : [
          `  tools: ${String(tools.length)} of ${String(tools.length + missing)} found, ${String(tools.filter(({ linked }) => linked).length)} newly linked`,
        ]),
    ...tools.map((tool) => `    ${tool.linked ? 'linked' : 'kept'} ${tool.name}, ${whoseOf(tool)}`),
    ...unresolved.map(({ kind, reference, reason }) => `  ${kind} ${reference}: ${reason.replace('_', ' ')}`),
    ...warnings.map(({ detail }) => `  warning: ${detail}`),
    ...(dryRun ? [] : [`Skill ${id}`]),
  ];
}

/** Writes all files into a directory or none. Overwrites nothing. */
export async function writeFiles(directory: string, files: readonly ArchiveFile[]): Promise<void> {
  const made: string[] = [];
  for (const { path, bytes } of files) {
    const file = directory === '.' ? path : join(directory, path);
    try {
      const folder = await mkdir(dirname(file), { recursive: true });
      if (folder !== undefined) made.push(folder);
      const handle = await open(file, 'wx');
      made.push(file);
      await handle.writeFile(bytes).finally(() => handle.close());
    } catch (error) {
      for (const each of made.reverse()) await rm(each, { recursive: true, force: true });
      const reason = error instanceof Error ? error.message : String(error);
      throw new CliFault(exitCodes.usage, `${file} can't be written: ${reason}. Nothing was written.`);
    }
  }
}
