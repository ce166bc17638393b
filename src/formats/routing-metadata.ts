import {
  below,
  entriesOf,
  isObject,
  textMember,
  textsOf,
  type Json,
  type JsonObject,
} from '../documents/json.js';
import type { WarningSink } from '../documents/findings.js';
import type { RoutingFacts } from './endpoint-facts.js';

/** Names, columns and filters hold no more. */
const MAX_NAME = 256;
const MAX_TEXT = 4_000;

type Reader = (value: Json) => Json | undefined;

const line =
  (longest: number): Reader =>
  (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= longest ? value : undefined;
const lines: Reader = (value) => {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every((item) => line(MAX_NAME)(item) !== undefined) ? all : undefined;
};
/** Refuses weights that the column can't hold. */
const weight: Reader = (value) =>
  typeof value === 'number' && value >= 0 && Number.isFinite(Math.fround(value)) ? value : undefined;

/** Reads a bare list of names as `requiredInputs`, which withhold nothing, never as `requiredContext`. */
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
  const said = entriesOf(value).filter(([, part]) => typeof part === 'number' || line(MAX_NAME)(part));
  return isObject(value) && said.length > 0 && said.length === entriesOf(value).length ? value : undefined;
};

/** Members of `metadata.routing`: by the catalog's names, and shorter ones that documents use for them. */
const members: readonly (readonly [name: string, read: Reader, ...shorter: string[]])[] = [
  ['domain', line(MAX_NAME)],
  ['category', line(MAX_NAME)],
  ['semanticNamespace', line(MAX_NAME), 'namespace'],
  ['semanticDescription', line(MAX_TEXT)],
  ['semanticKeywords', lines, 'keywords'],
  ['targetPersonas', lines, 'personas'],
  ['sensitivityTier', line(MAX_NAME), 'sensitivity'],
  ['semanticWeight', weight, 'weight'],
  ['costTier', line(MAX_NAME)],
  ['contextRequirements', requirements],
  ['dependencies', dependencies],
  ['fallbackEndpoint', line(1_024), 'fallback'],
  ['embedding', embedding],
];

/** Members about safety; and prompts, which are read where the operation is shown and searched. */
const others =
  'examplePrompts readOnly read_only idempotent destructive humanApprovalRequired approvalWorkflow';
const known = new Set([
  ...members.flatMap(([name, , ...shorter]) => [name, ...shorter]),
  ...others.split(' '),
]);

/** Reads `metadata.routing`. What is not of the right kind is left out with a warning. */
export function routingMetadata(extras: JsonObject, pointer: string, warnings: WarningSink): RoutingFacts {
  const ignored = (name: string, detail: string): void => {
    warnings.warn('routing_ignored', below(pointer, name), `${detail}; it was left out.`);
  };
  const unfit = (name: string): void => {
    ignored(name, `The value of ${name} is not of the right kind or too long`);
  };
  const said: [string, Json][] = [];
  for (const [name, read, ...shorter] of members) {
    const spelling = [name, ...shorter].find((spelling) => Object.hasOwn(extras, spelling));
    if (spelling === undefined) continue;
    const value = read(extras[spelling] ?? null);
    if (value !== undefined) said.push([name, value]);
    else unfit(spelling);
  }
  if (extras['approvalWorkflow'] !== undefined && approvalWorkflowOf(extras) === undefined)
    unfit('approvalWorkflow');
  for (const [name] of entriesOf(extras).filter(([name]) => !known.has(name)))
    ignored(name, `Routing has no member "${name}"`);
  return Object.fromEntries(said);
}

/** Reads the workflow that approves calls: wfDefId or namespace/name. It is indexed. */
export function approvalWorkflowOf(extras: JsonObject): string | undefined {
  const said = textMember(extras, 'approvalWorkflow');
  return said === undefined || said.length > MAX_NAME ? undefined : said;
}
