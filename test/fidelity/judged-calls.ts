/** Judges what the gateway makes of the calls of a document: by a decoder of ours, and by Prism where that is installed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { JsonObject } from '../../src/documents/json.js';
import { type FlatEndpoint, readFlat } from '../flat-endpoints.js';
import { argumentSets } from './argument-sets.js';
import { isOf, wrongParts } from './decoded-request.js';
import { type DescribedOperation, operationAt, propertiesOf } from './described-operations.js';
import { asOthersReadIt, type TriedDocument } from './documents.js';
import { otherCalls } from './other-protocols.js';
import { isFailing } from './prism-failings.js';
import { type OfferedTool, type Refusal, refusalsOf } from './provider-rules.js';
import { recordedCall, type RecordedRequest } from './recorded-call.js';

const prismHome = 'test/fidelity/prism';
export const prismLacks = existsSync(`${prismHome}/node_modules/@stoplight/prism-http`)
  ? undefined
  : `${prismHome} is not installed: (cd ${prismHome} && npm ci) brings Prism`;

/**
 * `looser`: it arrived as it was asked for, and the document takes no such value, though the tool does. `warned`: the import said so.
 */
export type Verdict = 'right' | 'wrong' | 'looser' | 'warned' | 'refused' | 'unjudged';

/** One call and what became of it. */
export interface TriedCall {
  readonly key: string;
  readonly kind: string;
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
}

export interface TriedApi {
  readonly name: string;
  readonly tools: number;
  readonly refusals: readonly (Refusal & { readonly tool: string })[];
  /** Parameters and members of bodies that no argument is for. */
  readonly missing: readonly string[];
  readonly calls: readonly TriedCall[];
  /** Why Prism judged none of the calls. */
  readonly withoutPrism: string | undefined;
}

interface Sent {
  readonly endpoint: FlatEndpoint;
  readonly operation: DescribedOperation;
  readonly call: { readonly key: string; readonly kind: string };
  readonly args: Readonly<Record<string, unknown>>;
  readonly request: RecordedRequest;
}

/** Reads a document as an import does, and tries its tools on the rules of the makers of models, and its calls. */
export async function triedApi(tried: TriedDocument, withPrism: boolean): Promise<TriedApi> {
  const { endpoints, warnings } = await readFlat(tried.document, { format: 'auto' });
  const refusals = endpoints.flatMap((endpoint) => ofTool(endpoint as unknown as OfferedTool));
  const document = asOthersReadIt(tried);
  const rest = { name: tried.name, tools: endpoints.length, refusals };
  if (document === undefined)
    return { ...rest, missing: [], calls: otherCalls(tried, endpoints), withoutPrism: undefined };
  const calls: TriedCall[] = [];
  const sent: Sent[] = [];
  const missing: string[] = [];
  for (const endpoint of endpoints) {
    const operation = operationAt(endpoint.key, document);
    if (operation === undefined || !isTemplate(operation.path)) {
      const reasons = ['the decoder can’t read its path, or finds no such operation'];
      calls.push({ key: endpoint.key, kind: '', verdict: 'unjudged', reasons });
      continue;
    }
    missing.push(...missingArguments(endpoint, operation, document));
    for (const each of await sentOf(endpoint, operation)) {
      if ('request' in each) sent.push(each);
      else calls.push(each);
    }
  }
  const { complaints, lacking } = complaintsOfPrism(document, sent, withPrism);
  const codes = new Set(warnings.map(({ code }) => code));
  const judgedCalls = sent.map((each, index) =>
    judged(each, { document, complaints: complaints?.[index] ?? [], codes }),
  );
  return { ...rest, missing, calls: [...calls, ...judgedCalls], withoutPrism: lacking };
}

/** Whether braces stand in pairs, and about names. */
const isTemplate = (path: string): boolean => !/["'`;]/.test(path);

const ofTool = (tool: OfferedTool) => refusalsOf(tool).map((refusal) => ({ ...refusal, tool: tool.name }));

async function sentOf(endpoint: FlatEndpoint, operation: DescribedOperation): Promise<(Sent | TriedCall)[]> {
  const placeOf = (argument: string) => endpoint.parameters[argument]?.in ?? 'body';
  const sets = argumentSets(endpoint.inputSchema as JsonObject, placeOf);
  const { key } = endpoint;
  if (sets.length === 0)
    return [{ key, kind: '', verdict: 'unjudged', reasons: ['no arguments were found that fit its schema'] }];
  return Promise.all(
    sets.map(async ({ kind, args }): Promise<Sent | TriedCall> => {
      const request = await recordedCall(endpoint, args);
      if (typeof request === 'string') return { key, kind, verdict: 'refused', reasons: [request] };
      return { endpoint, operation, call: { key, kind }, args, request };
    }),
  );
}

interface Judging {
  readonly document: JsonObject;
  readonly complaints: readonly string[];
  /** Codes of what the import warned of. */
  readonly codes: ReadonlySet<string>;
}

function judged(sent: Sent, { document, complaints, codes }: Judging): TriedCall {
  const { endpoint, operation, call, args, request } = sent;
  const parts = wrongParts({ operation, document, routes: endpoint.parameters, args, request });
  const byDecoder = parts.map(({ kind, detail }) => `${kind}: ${detail}`);
  const contentType = request.headers['content-type'] ?? '';
  const byPrism = complaints.filter((each) => !isFailing(each, { operation, document, contentType }));
  const reasons = [...byDecoder, ...byPrism.map((each) => `Prism: ${each}`)];
  return { ...call, verdict: verdictOn(byDecoder, byPrism, codes), reasons };
}

function verdictOn(
  byDecoder: readonly string[],
  byPrism: readonly string[],
  codes: ReadonlySet<string>,
): Verdict {
  const isOfValue = (complaint: string): boolean => /^(?:body|path|query|headers?)\b[^:]*: /.test(complaint);
  if (byDecoder.length > 0 || !byPrism.every(isOfValue)) return 'wrong';
  if (byPrism.length === 0) return 'right';
  const isWarned = (complaint: string): boolean =>
    complaint.includes('must match pattern') && codes.has('pattern_dropped');
  return byPrism.every(isWarned) ? 'warned' : 'looser';
}

interface Complaints {
  readonly complaints?: readonly (readonly string[])[];
  readonly lacking?: string;
}

function complaintsOfPrism(document: JsonObject, sent: readonly Sent[], withPrism: boolean): Complaints {
  if (sent.length === 0 || !withPrism) return {};
  // It would fetch what stands elsewhere.
  const text = JSON.stringify(document);
  if (/"\$ref":"(?!#)/.test(text)) return { lacking: 'the document refers to others' };
  const calls = sent.map(({ operation: { path, method }, request }) => {
    return { path, method, request: { ...request, body: Buffer.from(request.body).toString('base64') } };
  });
  const { stdout, stderr, status } = spawnSync(process.execPath, [`${prismHome}/judge.mjs`], {
    input: JSON.stringify({ document, calls }),
    maxBuffer: 1024 ** 3,
    encoding: 'utf8',
  });
  if (status !== 0)
    return { lacking: `it ended: ${stderr.trim().split('\n').slice(0, 6).join(' ').slice(0, 400)}` };
  return { complaints: JSON.parse(stdout) as string[][] };
}

function missingArguments(
  endpoint: FlatEndpoint,
  operation: DescribedOperation,
  document: JsonObject,
): readonly string[] {
  const routes = Object.values(endpoint.parameters);
  const parameters = operation.parameters
    .filter((parameter) => !routes.some((route) => isOf(route, parameter)))
    // A path that has no place for it.
    .filter(({ in: place, name }) => place !== 'path' || operation.path.includes(`{${name}`))
    .map(({ in: place, name }) => `${place} ${name}`);
  const ofBody = routes.filter((route) => route.in === 'body');
  const mediaType = ofBody[0]?.mediaType ?? 'application/json';
  const media = operation.body?.contents.get(mediaType);
  const isWhole = ofBody.some(({ name }) => name === '');
  const properties = media === undefined || isWhole ? [] : [...propertiesOf(media.schema, document).keys()];
  const fields = properties
    .filter((name) => !ofBody.some((route) => route.name === name))
    .map((name) => `body ${name}`);
  return [...parameters, ...fields].map((each) => `${endpoint.key}: ${each}`);
}
