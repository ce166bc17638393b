import type { RoutingFacts } from '../formats/endpoint-facts.js';
import {
  below,
  entriesOf,
  isObject,
  textMember,
  textsOf,
  type Json,
  type JsonObject,
} from '../documents/json.js';
import type { WarningLog } from '../documents/findings.js';

/** Names, columns and filters hold no more. */
const LONGEST_NAME = 256;
const LONGEST_TEXT = 4_000;

type Reader = (value: Json) => Json | undefined;

const line =
  (longest: number): Reader =>
  (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= longest ? value : undefined;
const lines: Reader = (value) => {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every((item) => line(LONGEST_NAME)(item) !== undefined) ? all : undefined;
};
/** No more than a column for it holds. */
const weight: Reader = (value) =>
  typeof value === 'number' && value >= 0 && Number.isFinite(Math.fround(value)) ? value : undefined;

/** A list of names is one of arguments to ask for: what nobody has at hand withholds nothing. */
const requirements: Reader = (value) => {
  const said = Array.isArray(value) ? { requiredInputs: value } : value;
  if (!isObject(said)) return undefined;
  const kept = ['requiredInputs', 'requiredContext'].map((name): [string, Json[]] => [
    name,
    [...textsOf(said, name)],
  ]);
  return Object.fromEntries(kept.filter(([, names]) => names.length > 0));
};

const dependencies: Reader = (value) => {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item): Json[] => {
    if (typeof item === 'string') return [{ endpoint: item }];
    const [endpoint, relation] = [textMember(item, 'endpoint'), textMember(item, 'relation')];
    if (endpoint === undefined) return [];
    return [{ endpoint, ...(relation !== undefined && { relation }) }];
  });
};

/** How the document's own tooling embeds the tool: kept for those who read the metadata. */
const embedding: Reader = (value) => {
  const said = entriesOf(value).filter(([, part]) => typeof part === 'number' || line(LONGEST_NAME)(part));
  return isObject(value) && said.length > 0 && said.length === entriesOf(value).length ? value : undefined;
};

/** The words of `metadata.routing`: those of the catalog, and shorter ones that documents use for them. */
const words: readonly (readonly [name: string, read: Reader, ...shorter: string[]])[] = [
  ['domain', line(LONGEST_NAME)],
  ['category', line(LONGEST_NAME)],
  ['semanticNamespace', line(LONGEST_NAME), 'namespace'],
  ['semanticDescription', line(LONGEST_TEXT)],
  ['semanticKeywords', lines, 'keywords'],
  ['targetPersonas', lines, 'personas'],
  ['sensitivityTier', line(LONGEST_NAME), 'sensitivity'],
  ['semanticWeight', weight, 'weight'],
  ['costTier', line(LONGEST_NAME)],
  ['contextRequirements', requirements],
  ['dependencies', dependencies],
  ['fallbackEndpoint', line(1_024), 'fallback'],
  ['embedding', embedding],
];

/** Words of `metadata.routing` that are about safety; prompts are read where the operation is shown and searched. */
const others = [
  'examplePrompts',
  'readOnly',
  'read_only',
  'idempotent',
  'destructive',
  'humanApprovalRequired',
  'approvalWorkflow',
];
const known = new Set([...words.flatMap(([name, , ...shorter]) => [name, ...shorter]), ...others]);

/** What `metadata.routing` says in the words of the catalog. What is not of the right kind is left out with a warning. */
export function routingExtras(extras: JsonObject, pointer: string, warnings: WarningLog): RoutingFacts {
  const said: [string, Json][] = [];
  for (const [name, read, ...others] of words) {
    const spelling = [name, ...others].find((word) => Object.hasOwn(extras, word));
    if (spelling === undefined) continue;
    const value = read(extras[spelling] ?? null);
    if (value !== undefined) said.push([name, value]);
    else warnOfValue(spelling, pointer, warnings);
  }
  if (extras['approvalWorkflow'] !== undefined && approvalWorkflowOf(extras) === undefined)
    warnOfValue('approvalWorkflow', pointer, warnings);
  for (const [name] of entriesOf(extras).filter(([name]) => !known.has(name))) {
    warnings.warn('routing_ignored', below(pointer, name), `Routing has no word "${name}"; it was left out.`);
  }
  return Object.fromEntries(said);
}

/** A workflow that approves calls: wfDefId or namespace/name. It is indexed. */
export function approvalWorkflowOf(extras: JsonObject): string | undefined {
  const said = textMember(extras, 'approvalWorkflow');
  return said === undefined || said.length > LONGEST_NAME ? undefined : said;
}

function warnOfValue(word: string, pointer: string, warnings: WarningLog): void {
  const detail = `The value of ${word} is not of the right kind or too long; it was left out.`;
  warnings.warn('routing_ignored', below(pointer, word), detail);
}
