import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import {
  compareVersions,
  evalFolder,
  fileOf,
  isVersionNumber,
  namedBy,
  readToolSpec,
  specFolder,
  specFrom,
  type ToolSpec,
  type VersionFields,
  writeToolSpec,
} from '../registry/shared.js';
import { pagesOf, read } from './catalog-pages.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import {
  CliFault,
  counted,
  exampleHelp,
  exitCodes,
  printAnswer,
  understood,
  withProgress,
} from './output.js';
import { faultLine, registryFiles } from './registry-folder.js';

interface PullOptions extends ConnectionOptions {
  readonly tool?: string;
  readonly env?: string;
  readonly force?: boolean;
}

interface ListedTool {
  readonly toolId: string;
  readonly name: string;
  readonly serviceId: string | null;
  readonly envTag: string | null;
}

interface Version {
  readonly toolId: string;
  readonly name: string;
  readonly version: string;
  readonly state: string;
  readonly content: Pick<VersionFields, 'description' | 'safety' | 'inputSchema' | 'outputSchema'>;
  readonly specText: string | null;
  readonly evalConfigText?: string | null;
  /** The service that offers it. */
  readonly host?: string | null;
}

/** A file of the service, and what the folder has in its place. */
interface PulledFile {
  readonly path: string;
  readonly text: string;
  readonly there: 'missing' | 'same' | 'changed';
}

const examples = `
The specs and eval configs of all versions that were not rejected, byte for byte as they were pushed; a version that came without files gets
a spec that says the same. A file of the folder that says something else stays as it is, and nothing is written, unless --force says so.
${exampleHelp('registry pull', 'registry pull ../tools --tool read_file', 'registry pull ../tools --force')}`;

export function pullCommand(): Command {
  const command = new Command('pull')
    .description('write the specs and eval configs of the service into a folder')
    .argument('[folder]', 'folder that holds tools/specs, or will', '.')
    .option('--tool <name>', 'of this tool alone')
    .option('--env <tag>', 'of this environment alone, and what serves every one')
    .option('--force', 'write over files that say something else')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (folder: string, options: PullOptions) => {
    const client = new CatalogClient(options);
    const versions = await withProgress('Reading versions', (say) => versionsOf(client, options, say));
    const files = await comparedWith(
      folder,
      versions.flatMap((version) => writable(version, versions)),
    );
    const changed = files.filter(({ there }) => there === 'changed').map(({ path }) => path);
    if (changed.length > 0 && options.force !== true) {
      const detail = 'say something else here. Nothing was written; --force writes over them.';
      throw new CliFault(
        exitCodes.failed,
        `${changed.join('\n')}\n${counted(changed.length, 'file')} ${detail}`,
      );
    }
    const written = files.filter(({ there }) => there !== 'same');
    for (const { path } of written) await refuseLinks(folder, path);
    for (const { path, text } of written) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const paths = written.map(({ path }) => path);
    const counts = { written: paths, unchanged: files.length - paths.length };
    printAnswer(options, JSON.stringify(counts, null, 2), () => [
      ...paths,
      `${counted(paths.length, 'file')} written, ${String(counts.unchanged)} unchanged.`,
    ]);
  });
}

type Say = (state: string) => void;

/** Reads all versions but those that were rejected. Throws CliFault where two tools have one of the same name. */
async function versionsOf(
  client: CatalogClient,
  { tool, env }: PullOptions,
  say: Say,
): Promise<readonly Version[]> {
  const found = new Map<string, Version>();
  for (const { toolId, serviceId, envTag } of await toolsOf(client, tool)) {
    if (env !== undefined && envTag !== null && envTag !== env) continue;
    const path = `/tools/${encodeURIComponent(toolId)}/versions`;
    const items = await pagesOf<Version>(client, path);
    const wanted = understood(() => items.filter((item) => item.state !== 'rejected' && !isPastLast(item)));
    for (const { version } of wanted) {
      const known = await read<Version>(client, `${path}/${encodeURIComponent(version)}`);
      keep(found, { ...safe(known), host: serviceId });
      say(counted(found.size, 'version'));
    }
  }
  return [...found.values()];
}

function toolsOf(client: CatalogClient, name: string | undefined): Promise<readonly ListedTool[]> {
  return pagesOf(client, '/tools', { active: 'all', limit: '200', ...(name !== undefined && { name }) });
}

/** Keeps one version of each file: one that was pushed before one that came without files. */
function keep(found: Map<string, Version>, version: Version): void {
  const file = fileOf(version.name, version.version);
  const other = found.get(file);
  const both = other !== undefined && (other.specText === null) === (version.specText === null);
  if (
    both &&
    JSON.stringify([other.specText, other.content]) !== JSON.stringify([version.specText, version.content])
  ) {
    const ids = `${other.toolId} and ${version.toolId}`;
    const detail = `Two tools have a version ${version.version} of the name ${version.name}: ${ids}. A folder holds one of them.`;
    throw new CliFault(
      exitCodes.failed,
      `${detail} Nothing was written; --env names the environment whose tools are wanted.`,
    );
  }
  if (other === undefined || other.specText === null) found.set(file, version);
}

/** Says so where the number is one from before there was a last one: a spec can't have it. */
function isPastLast({ name, version }: Pick<Version, 'name' | 'version'>): boolean {
  const isPast = !isVersionNumber(version) && /^[\de.+]{1,100}$/.test(version);
  if (isPast) {
    const detail =
      'its number has more than nine digits in a part, which no file can have. Push it as another version.';
    process.stderr.write(`warning: not written: ${name.slice(0, 64)} ${version}: ${detail}\n`);
  }
  return isPast;
}

/** The service is not trusted with files that lie elsewhere. */
function safe(version: Version): Version {
  const { name, version: number, specText, evalConfigText = null } = version;
  const isFit = [specText, evalConfigText].every((text) => text === null || typeof text === 'string');
  if (isFit && /^[\w-]{1,64}$/.test(name) && isVersionNumber(number)) return version;
  const what = `${name} ${number}`.slice(0, 200);
  throw new CliFault(exitCodes.unreachable, `The answer names a version that no file can be of: ${what}.`);
}

/** The version with a spec; none, with a warning, where what is known of it is more than a spec says. */
function writable(version: Version, all: readonly Version[]): readonly Version[] {
  if (version.specText !== null) return [version];
  const { name, host = null, content } = version;
  const specText = understood(() =>
    writeToolSpec(
      specFrom({ ...content, name, version: version.version, host }, writtenBefore(version, all)),
    ),
  );
  const path = `${specFolder}/${fileOf(name, version.version)}`;
  const { faults } = readToolSpec({ path, text: specText });
  for (const fault of faults) process.stderr.write(`warning: not written: ${faultLine(fault)}\n`);
  return faults.length > 0 ? [] : [{ ...version, specText }];
}

/** The spec of the last version of the tool before this one that was pushed. */
function writtenBefore({ toolId, version }: Version, all: readonly Version[]): ToolSpec | undefined {
  const written = all.filter(
    (other) =>
      other.toolId === toolId && other.specText !== null && compareVersions(other.version, version) < 0,
  );
  const [last] = written.sort((one, other) => compareVersions(other.version, one.version));
  return last === undefined ? undefined : readToolSpec({ path: '', text: last.specText ?? '' }).value;
}

/** Finds each version's files where the folder has them, or else where they belong. */
async function comparedWith(folder: string, versions: readonly Version[]): Promise<readonly PulledFile[]> {
  const known = new Map<string, string>();
  for (const part of [specFolder, evalFolder])
    for (const path of await registryFiles(folder, part)) {
      const said = namedBy(path);
      if (said !== undefined) known.set(`${part}/${fileOf(said.name, said.version)}`, path);
    }
  const files: PulledFile[] = [];
  for (const { name, version, specText, evalConfigText = null } of versions)
    for (const [part, text] of [
      [specFolder, specText],
      [evalFolder, evalConfigText],
    ] as const) {
      if (text === null) continue;
      const own = `${part}/${fileOf(name, version)}`;
      const path = known.get(own) ?? own;
      const bytes = known.has(own) ? await readFile(join(folder, path)) : undefined;
      const there = bytes === undefined ? 'missing' : bytes.equals(Buffer.from(text)) ? 'same' : 'changed';
      files.push({ path, text, there });
    }
  return files;
}

/** Refuses a file that would come to lie elsewhere, since a part of its path is a link, or that can't be written like one. */
async function refuseLinks(folder: string, path: string): Promise<void> {
  const steps = path.split('/');
  for (const [place] of steps.entries()) {
    const part = join(folder, ...steps.slice(0, place + 1));
    const found = await lstat(part).catch(() => undefined);
    if (found === undefined) return;
    const isLast = place === steps.length - 1;
    if (isLast ? found.isFile() : found.isDirectory()) continue;
    const what = found.isSymbolicLink()
      ? 'is a link, and leads elsewhere'
      : `is no ${isLast ? 'file' : 'folder'}`;
    throw new CliFault(exitCodes.failed, `${part} ${what}. Nothing was written.`);
  }
}
