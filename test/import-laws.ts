import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { DescribedApiType } from '../src/formats/formats.js';
import { isSoak } from './soak.js';
import { describeUnless } from './unless.js';
import type { FlatDescription, FlatEndpoint } from './flat-endpoints.js';
import { templateNames } from '../src/formats/openapi/path-template.js';

/** Real documents to try importers on, which stand beside the project where there are any. */
export const corpus = join(process.cwd(), '../shared/corpus');

/** `describe`, or a skipped one whose name says why. */
export function describeWithCorpus(name: string, tests: () => void): void {
  describeUnless(existsSync(corpus) ? undefined : `there is no corpus at ${corpus}`, name, tests);
}

export function readCorpus(file: string): Uint8Array {
  return readFileSync(join(corpus, file));
}

/** A document of the corpus as it is sent. */
export interface CorpusSample {
  readonly name: string;
  readonly format: DescribedApiType;
  readonly document: string | { readonly files: Readonly<Record<string, string>> };
  /** That it is known to hold. */
  readonly operations: number | undefined;
}

/** Counts that stand in the corpus's README, not in an `expected.json`. */
const counted: Readonly<Record<string, number>> = {
  'graphql/swapi.graphql': 13,
  'graphql/swapi.introspection.json': 13,
  'sample/account-api.openapi.yaml': 8,
  'sample/account-api.lightapi.yaml': 4,
};
const folders: readonly (readonly [folder: string, format: DescribedApiType])[] = [
  ['openapi', 'openapi'],
  ['mcp-tools-list', 'mcp'],
  ['openrpc', 'openrpc'],
  ['graphql', 'graphql'],
  ['sample', 'openapi'],
];

/**
 * Every API description of the corpus that can be read, the .proto files as one upload; outside of a soak the two shortest of
 * each format. None where there is no corpus.
 */
export function samplesOfCorpus(): readonly CorpusSample[] {
  if (!existsSync(corpus)) return [];
  const all = allOfCorpus();
  if (isSoak) return all;
  const length = ({ document }: CorpusSample) => JSON.stringify(document).length;
  const sorted = all.toSorted((one, other) => length(one) - length(other));
  const formats = [...new Set(all.map(({ format }) => format))];
  return formats.flatMap((wanted) => sorted.filter(({ format }) => format === wanted).slice(0, 2));
}

function allOfCorpus(): readonly CorpusSample[] {
  const text = (file: string) => Buffer.from(readCorpus(file)).toString();
  const single = folders.flatMap(([folder, format]) => {
    const file = join(corpus, folder, 'expected.json');
    const truth = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, { operations?: number; tools?: number }>)
      : {};
    return readdirSync(join(corpus, folder))
      .filter((name) => name !== 'expected.json' && !/alias|\.md$/.test(name))
      .map((file): CorpusSample => {
        const name = `${folder}/${file}`;
        const operations = truth[file]?.operations ?? truth[file]?.tools ?? counted[name];
        const own = file.includes('.lightapi.') ? 'lightapi' : format;
        return { name, format: own, document: text(name), operations };
      });
  });
  const protos = readdirSync(join(corpus, 'grpc'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.proto'))
    .map((file) => [relative('.', file), text(`grpc/${file}`)]);
  const files = Object.fromEntries(protos) as Record<string, string>;
  return [...single, { name: 'grpc', format: 'grpc', document: { files }, operations: 14 }];
}

const ajv = new Ajv2020({ strict: false, addUsedSchema: false, logger: false, code: { optimize: false } });
ajvFormats.default(ajv);

/** Compiles a schema by itself; throws where it is none or does not stand alone. */
export function compile(schema: object): (value: unknown) => boolean {
  const validate = ajv.compile(schema as AnySchema);
  ajv.removeSchema(schema);
  return (value) => validate(value) as boolean;
}

/** What breaks the laws of an import, in words; empty where none is broken. `compiled`: how many schemas to compile. */
export function brokenLaws({ endpoints }: FlatDescription, compiled = Infinity): string[] {
  const faults = endpoints.flatMap((endpoint, index) =>
    [...faultsOf(endpoint), ...(index < compiled ? faultsOfSchemas(endpoint) : [])].map(
      (fault) => `${endpoint.key}: ${fault}`,
    ),
  );
  if (hasTwice(endpoints.map(({ key }) => key))) faults.push('a key stands twice');
  if (hasTwice(endpoints.map(({ name }) => name))) faults.push('a name is given twice');
  return faults;
}

function hasTwice(values: readonly string[]): boolean {
  return new Set(values).size !== values.length;
}

function faultsOf({ name, method, path, inputSchema, outputSchema, parameters }: FlatEndpoint): string[] {
  const faults: string[] = [];
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) faults.push(`name ${name} does not fit`);
  if (inputSchema['type'] !== 'object') faults.push('input is no object');
  if (JSON.stringify(inputSchema).length > 270_000) faults.push('input schema is too long');
  if (JSON.stringify(outputSchema ?? {}).length > 140_000) faults.push('output schema is too long');
  const properties = Object.keys(inputSchema['properties'] ?? {});
  const required = (inputSchema['required'] ?? []) as string[];
  if (hasTwice(required)) faults.push('required names something twice');
  const unrouted = properties.filter((property) => !Object.hasOwn(parameters, property));
  faults.push(...unrouted.map((property) => `${property} has no route`));
  const lost = (method === 'call' ? [] : templateNames(path)).filter((parameter) => {
    const found = Object.entries(parameters).find(([, to]) => to.in === 'path' && to.name === parameter);
    return !found || !required.includes(found[0]);
  });
  return [...faults, ...lost.map((parameter) => `path parameter ${parameter} is missing or not required`)];
}

function faultsOfSchemas({ inputSchema, outputSchema = {} }: FlatEndpoint): string[] {
  return [inputSchema, outputSchema].flatMap((schema) => {
    try {
      compile(schema);
      return [];
    } catch (error) {
      return [`schema does not stand alone: ${String(error)}`];
    }
  });
}
