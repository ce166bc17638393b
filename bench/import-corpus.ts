import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { buildClientSchema, buildSchema, type IntrospectionQuery } from 'graphql';
import { load } from 'js-yaml';
import protobuf from 'protobufjs';
import { upgrade } from '@scalar/openapi-upgrader';
import { readImport } from '../src/importers/read-import.worker.js';
import { alternately, milliseconds, progress, report } from './harness.js';
import { withService, type Service } from './import-service.js';

/** Real descriptions beside the project: a folder for each format. */
const corpus = process.env['CORPUS'] || '../shared/corpus';

/** One document, as it is sent, and what nobody can save of it: the text parsed, and brought to today's version. */
interface Sample {
  readonly name: string;
  readonly document: string | { readonly files: Readonly<Record<string, string>> };
  readonly parse: () => unknown;
}

/** Documents that are on their way at once: one is read while another is written. */
const AT_ONCE = 4;

/**
 * Every document of the corpus imported over HTTP, as APIs that are new, against parsing and upgrading them alone in this
 * process. Both are run several times, in turns. So is what the workers do alone, in this process: reading, checking and
 * mending what is written later.
 */
export async function benchImportCorpus(url?: string): Promise<void> {
  if (!existsSync(corpus)) {
    progress(`import-corpus: left out, there is no folder ${corpus}; CORPUS names another`);
    return;
  }
  await withService('corpus', url, measure);
}

async function measure(service: Service): Promise<void> {
  const samples = samplesOf(corpus);
  const idle = service.peakMegabytes();
  let round = 0;
  let totals: number[] = [];
  const importing = () => {
    round += 1;
    totals = [];
    const waiting = [...samples];
    const line = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        totals.push(await bring(service, next, round));
    };
    return milliseconds(() => Promise.all(Array.from({ length: AT_ONCE }, line)));
  };
  const reading = () =>
    milliseconds(async () => {
      for (const { document } of samples)
        await readImport({
          body: JSON.stringify({ document }),
          mediaType: 'application/json',
          holds: 'document',
        });
    });
  const parsing = () =>
    milliseconds(() => {
      for (const { parse } of samples) parse();
    });
  const { figure, baseline } = await alternately(5, importing, parsing);
  report({ bench: 'import the corpus', figure, unit: 'ms', baseline });
  for (const [what, count] of [
    ['documents', samples.length],
    ['operations', totals.reduce((sum, total) => sum + total, 0)],
  ] as const) {
    const rates = { figure: (count * 1000) / figure, baseline: (count * 1000) / baseline };
    report({ bench: `import the corpus: ${what}`, unit: `${what}/s`, ...rates });
  }
  const read = { bench: 'read the corpus, one document after another, nothing written', unit: 'ms' };
  report({ ...read, ...(await alternately(5, reading, parsing)) });
  report({
    bench: 'most memory of service and workers while importing the corpus',
    figure: service.peakMegabytes(),
    unit: 'MB',
    baseline: idle,
  });
}

/** @returns how many operations the document holds */
async function bring(service: Service, { name, document }: Sample, round: number): Promise<number> {
  const version = { apiVersion: String(round), serviceId: 'corpus', envTag: 'dev' };
  const body = JSON.stringify({ api: { apiId: name }, version, document });
  return (JSON.parse(await service.send('POST', 'imports', body)) as { total: number }).total;
}

function samplesOf(folder: string): readonly Sample[] {
  const inFolder = (name: string) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'expected.json')
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  const each = (name: string, parserOf: (file: string) => (text: string) => unknown) =>
    inFolder(name).map((file) => sampleOf(file, textOf(file), parserOf(file)));
  const protos = inFolder('grpc').map(
    (file) => [relative(join(folder, 'grpc'), file), textOf(file)] as const,
  );
  const files: Record<string, string> = Object.fromEntries(protos);
  return [
    // One that is refused: an alias that contains itself.
    ...each('openapi', (file) => (text) => upgrade(parserFor(file)(text), '3.1')).filter(
      ({ name }) => !name.includes('alias'),
    ),
    ...each('mcp-tools-list', parserFor),
    ...each('openrpc', parserFor),
    ...each('graphql', (file) => (file.endsWith('.json') ? clientSchema : (text) => buildSchema(text))),
    {
      name: 'grpc',
      document: { files },
      parse: () => Object.values(files).map((text) => protobuf.parse(text)),
    },
  ];
}

/** Without the byte order mark that some begin with. */
const textOf = (file: string): string => readFileSync(file, 'utf8').replace(/^\ufeff/, '');

function sampleOf(file: string, text: string, parse: (text: string) => unknown): Sample {
  return { name: basename(file), document: text, parse: () => parse(text) };
}

const parserFor = (file: string) =>
  file.endsWith('.json') ? (text: string): unknown => JSON.parse(text) : load;

function clientSchema(text: string): unknown {
  const answer = JSON.parse(text) as IntrospectionQuery & { readonly data?: IntrospectionQuery };
  return buildClientSchema(answer.data ?? answer);
}
