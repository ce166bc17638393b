import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { UnreadableDocument } from '../documents/findings.js';
import { fileOf, graphqlSpecs, specFolder, writeToolSpec } from '../registry/shared.js';
import { CliFault, counted, exampleHelp, exitCodes, printAnswer } from './output.js';

interface OperationsOptions {
  readonly api: string;
  readonly out: string;
  readonly tool?: readonly string[];
  readonly json?: boolean;
}

const examples = `
Each spec has all arguments as parameters, and answers as many fields as an import takes. Leave out what a model need not know, and say when to use it.
A file that is there is left as it is. The service checks the operation when the spec is pushed.
${exampleHelp(
  'registry operations schema.graphql --api issues',
  'registry operations schema.graphql --api issues@1.0.0 --tool createIssue --out ../tools',
)}`;

export function operationsCommand(): Command {
  return new Command('operations')
    .description('write a spec for each operation of a GraphQL schema, to begin with')
    .argument('<schema>', 'SDL, or the answer to an introspection query')
    .requiredOption('--api <apiId>', 'the API that answers, as the catalog knows it, or apiId@version')
    .option('--tool <name...>', 'for these tools alone')
    .option('--out <folder>', `folder that holds ${specFolder}`, '.')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (schema: string, { api, out, tool: wanted, json }: OperationsOptions) => {
      const specs = await specsIn(schema, api);
      const unknown = wanted?.find((name) => !specs.some((spec) => spec.name === name));
      if (unknown !== undefined)
        throw new CliFault(
          exitCodes.usage,
          `${schema} has no operation of which ${unknown} would be the tool.`,
        );
      const files: { file: string; written: boolean }[] = [];
      for (const spec of specs.filter(({ name }) => wanted?.includes(name) ?? true)) {
        const file = `${specFolder}/${fileOf(spec.name, spec.version)}`;
        files.push({ file, written: await writtenNew(join(out, file), writeToolSpec(spec)) });
      }
      const written = files.filter((each) => each.written);
      printAnswer({ json }, JSON.stringify({ files }, null, 2), () => [
        ...written.map(({ file }) => file),
        `${counted(written.length, 'spec')} written, ${String(files.length - written.length)} there already.`,
      ]);
    });
}

async function specsIn(file: string, api: string): ReturnType<typeof graphqlSpecs> {
  try {
    return await graphqlSpecs(await readFile(file, 'utf8'), api);
  } catch (error) {
    const detail = error instanceof UnreadableDocument ? error.detail : (error as Error).message;
    throw new CliFault(exitCodes.usage, `${file} can't be read: ${detail}`);
  }
}

/** Whether there was none. */
async function writtenNew(file: string, text: string): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
