import { mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Command, Option } from 'commander';
import {
  isGenerated,
  languages,
  type GenerationWarning,
  type Language,
} from '../../packages/tool-clients/tool-interface.js';
import { specFolder } from '../registry/shared.js';
import { interfaceOf, warningLine } from '../tool-clients/shared.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { CliFault, exitCodes, understood } from './output.js';
import { faultLine, registryOf } from './registry-folder.js';

interface GenerateOptions extends ConnectionOptions {
  readonly language: Language;
  readonly out: string;
  readonly packageVersion?: string;
  readonly apiVersion?: string;
  readonly env?: string;
}

interface Generated {
  readonly files: Readonly<Record<string, string>>;
  readonly modules: readonly unknown[];
  readonly warnings: readonly GenerationWarning[];
}

const examples = `
A package for those who implement tools: a module for each version of each tool, with typed arguments and results, and a base
class that fills in defaults and checks both. With a folder it is made of the specs tools/specs/<name>/v<major>_<minor>_<patch>.yaml
in it, without a service; else of the tools that the service offers. What a schema says and the package does not is a
warning on stderr. Files of an earlier generation that are no longer part of it are removed; no other file is.

Examples:
  $ portal-catalog registry generate --language python --out clients/python .
  $ portal-catalog registry generate --language ruby --out clients/ruby --package-version 1.4.0 ./registry
  $ portal-catalog registry generate --language typescript --out clients/node --env dev`;

export function generateCommand(): Command {
  const command = new Command('generate')
    .description('write a package for those who implement tools, in one language')
    .argument('[folder]', 'folder of a registry (default: the tools of the service)')
    .addOption(new Option('--language <language>').choices(languages).makeOptionMandatory())
    .requiredOption('--out <folder>', 'where the package is written')
    .option('--package-version <version>', 'version of the package, with a folder (default: 0.1.0)')
    .option('--api-version <apiVersionId>', 'only tools of this API version, without a folder')
    .option('--env <environment>', 'only tools of this environment, without a folder')
    .addHelpText('after', examples);
  return connectionOptions(command).action(async (folder: string | undefined, options: GenerateOptions) => {
    refuseMixed(folder, options);
    const { files, modules, warnings } =
      folder === undefined ? await ofService(options) : await ofFolder(folder, options);
    for (const warning of warnings) process.stderr.write(`warning: ${warningLine(warning)}\n`);
    const removed = await write(options.out, files);
    const counts = { out: options.out, modules: modules.length, files: Object.keys(files).length, removed };
    const { out } = counts;
    const text = options.json
      ? JSON.stringify({ ...counts, warnings })
      : `${out}: ${String(counts.modules)} modules in ${String(counts.files)} files${removed === 0 ? '' : `, ${String(removed)} old ones removed`}.`;
    process.stdout.write(`${text}\n`);
  });
}

function refuseMixed(folder: string | undefined, options: GenerateOptions): void {
  const unfit =
    folder === undefined
      ? options.packageVersion !== undefined &&
        '--package-version goes with a folder: the service gives its own.'
      : (options.apiVersion ?? options.env) !== undefined &&
        '--api-version and --env select tools of the service: leave the folder out, or them.';
  if (unfit !== false) throw new CliFault(exitCodes.usage, unfit);
}

async function ofService(options: GenerateOptions): Promise<Generated> {
  const query = new URLSearchParams({
    format: 'json',
    ...(options.apiVersion !== undefined && { apiVersionId: options.apiVersion }),
    ...(options.env !== undefined && { envTag: options.env }),
  });
  const path = `/tool-clients/${options.language}?${query.toString()}`;
  const answer = await new CatalogClient(options).request('GET', path);
  return understood(() => {
    const { files, modules, warnings } = JSON.parse(answer) as Generated;
    for (const file of Object.keys(files)) refuseOutside(file);
    return { files, modules: [...modules], warnings: [...warnings] };
  });
}

/** The service is not trusted with other folders than the one that was named. */
function refuseOutside(path: string): void {
  if (/^(?!\.)[\w.-]+(?:\/(?!\.)[\w.-]+)*$/.test(path)) return;
  throw new CliFault(exitCodes.unreachable, `The answer names a file outside of the package: ${path}`);
}

async function ofFolder(folder: string, { language, packageVersion }: GenerateOptions): Promise<Generated> {
  const registry = await registryOf(folder);
  const faults = registry.faults.filter(({ file }) => file.startsWith(`${specFolder}/`));
  if (faults.length > 0) {
    throw new CliFault(exitCodes.failed, faults.map(faultLine).join('\n'));
  }
  const tools = registry.specs.map(({ spec }) => interfaceOf(spec));
  // Loaded here, so that other commands start at once.
  const { generateClients } = await import('../../packages/tool-clients/generate-clients.js');
  try {
    const generated = generateClients(tools, language, { ...(packageVersion && { packageVersion }) });
    return { ...generated, files: Object.fromEntries(generated.files) };
  } catch (error) {
    if (error instanceof RangeError) throw new CliFault(exitCodes.usage, error.message);
    throw error;
  }
}

/** Writes the package; returns how many files of an earlier one were removed. */
async function write(out: string, files: Generated['files']): Promise<number> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), text);
  }
  let removed = 0;
  for (const folder of ['src', 'lib', 'sig']) {
    const found = await readdir(join(out, folder), { recursive: true }).catch(() => []);
    for (const name of found.filter((each) => /\.(?:ts|py|rb|rbs)$/.test(each))) {
      const path = join(folder, name).split(sep).join('/');
      if (Object.hasOwn(files, path) || !isGenerated(await readFile(join(out, path), 'utf8'))) continue;
      await unlink(join(out, path));
      removed += 1;
    }
  }
  return removed;
}
