import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { unpacked } from '../documents/archive.stream.js';
import { UnreadableDocument } from '../documents/findings.js';
import { type Provider, providers, readDescription, refusalsOf } from '../formats/shared.js';
import { newestOf, specFolder } from '../registry/shared.js';
import { CatalogClient, connectionOptions, type ConnectionOptions } from './catalog-client.js';
import { pagesOf, read } from './catalog-pages.js';
import { documentAt } from './offered-document.js';
import { CliFault, counted, exampleHelp, exitCodes, oneLine, printAnswer } from './output.js';
import { faultLine, registryOf } from './registry-folder.js';

interface LintOptions extends ConnectionOptions {
  readonly provider?: Provider;
  readonly strict?: boolean;
}

/** A refusal, and where it is to be mended. */
interface ProviderFinding {
  readonly tool: string;
  /** File and line of a spec. */
  readonly file?: string;
  readonly line?: number;
  readonly provider: Provider;
  readonly pointer: string;
  readonly reason: string;
  readonly remedy: string;
}

/** What was looked at, and what was found. */
interface Linted {
  readonly tools: number;
  readonly findings: readonly ProviderFinding[];
  /** What an import makes fit of a description, and what of it is large. */
  readonly mended: readonly { readonly code: string; readonly pointer: string; readonly detail: string }[];
  /** Lines of what could not be read. */
  readonly faults: readonly string[];
}

const about = `
A folder with ${specFolder} is looked at by its specs, any other path as an API description: neither needs the service. Without
a path, the tools of the host are looked at. An import makes descriptions fit, and what it changes for that is printed, too.
`;

/** `portal-catalog lint`. */
export function lintCommand(): Command {
  const command = new Command('lint')
    .description('say what Anthropic, OpenAI or Gemini refuse of tools, with the place')
    .argument(
      '[path]',
      'registry, description (file, folder, zip or tar), or tools as they are sent to a model',
    )
    .addOption(new Option('--provider <provider>', 'of this maker of models alone').choices(providers))
    .option('--strict', 'fail where anything is refused')
    .addHelpText(
      'after',
      about +
        exampleHelp(
          'lint --provider anthropic',
          'lint ../tools --provider gemini --strict',
          'lint openapi.yaml --provider openai --json',
        ),
    );
  return connectionOptions(command).action(async (path: string | undefined, options: LintOptions) => {
    const { provider, strict = false } = options;
    const linted = await (path === undefined ? ofHost(options) : ofPath(path));
    const findings = linted.findings.filter((each) => provider === undefined || each.provider === provider);
    const report = { ...linted, findings };
    printAnswer(options, JSON.stringify(report, null, 2), () => described(report));
    if (linted.faults.length > 0 || (strict && findings.length > 0)) process.exitCode = exitCodes.failed;
  });
}

async function ofPath(path: string): Promise<Linted> {
  const isRegistry = await stat(join(path, specFolder)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isRegistry ? ofRegistry(path) : ofDescription(path);
}

async function ofRegistry(folder: string): Promise<Linted> {
  const { specs, faults } = await registryOf(folder);
  const newest = newestOf(specs);
  const findings = newest.flatMap(({ path: file, spec, placeOf }) =>
    refusalsOf(spec).map((each) => ({ tool: spec.name, file, ...placeOf(each.pointer), ...each })),
  );
  return { tools: newest.length, findings, mended: [], faults: faults.map(faultLine) };
}

/** Warnings of an import that are about makers of models. */
const fitting = new Set(['argument_renamed', 'input_schema_fitted', 'definition_large']);

async function ofDescription(path: string): Promise<Linted> {
  try {
    const { offers, warnings } = await readDescription(await unpacked(await documentAt(path)), {
      format: 'auto',
    });
    const findings = offers.flatMap(({ facts }) => {
      const { name, inputSchema = {} } = JSON.parse(facts) as { name: string; inputSchema?: object };
      return refusalsOf({ name, inputSchema }).map((each) => ({ tool: name, ...each }));
    });
    const mended = warnings.filter(({ code }) => fitting.has(code));
    return { tools: offers.length, findings, mended, faults: [] };
  } catch (fault) {
    if (fault instanceof UnreadableDocument) throw new CliFault(exitCodes.usage, `${path}: ${fault.detail}`);
    throw fault;
  }
}

/** Asks for the details of those alone that a list says are refused. */
async function ofHost(options: LintOptions): Promise<Linted> {
  const client = new CatalogClient(options);
  const tools = await pagesOf<ListedTool>(client, '/tools', { limit: '200' });
  const { provider } = options;
  const refused = tools.filter(({ refusedBy = [] }) =>
    provider === undefined ? refusedBy.length > 0 : refusedBy.includes(provider),
  );
  const findings: ProviderFinding[] = [];
  for (const { toolId, name } of refused) {
    const { refusals = [] } = await read<{ refusals?: Omit<ProviderFinding, 'tool'>[] }>(
      client,
      `/tools/${encodeURIComponent(toolId)}`,
    );
    findings.push(...refusals.map((each) => ({ tool: name, ...each })));
  }
  return { tools: tools.length, findings, mended: [], faults: [] };
}

interface ListedTool {
  readonly toolId: string;
  readonly name: string;
  readonly refusedBy?: readonly Provider[];
}

function described({ tools, findings, mended, faults }: Linted): string[] {
  return [
    ...faults,
    ...findings.flatMap(({ tool, file, line, provider, pointer, reason, remedy }) => [
      `${file === undefined ? tool : `${file}:${String(line)}`} ${pointer}: refused by ${provider}. ${reason}`,
      `    better: ${oneLine(remedy, 200)}`,
    ]),
    ...mended.map(({ code, pointer, detail }) => `  made to fit: ${code} at ${pointer || '/'}: ${detail}`),
    `${counted(tools, 'tool')} read, ${counted(findings.length, 'refusal')}`,
  ];
}
