/** Makes rows of `search_document_t` from rows of the read views: words, filters, weights; and the texts that are embedded. Pure. */
import { createHash } from 'node:crypto';
import {
  analyse,
  type Field,
  type Searchable,
  type TextField,
  type Words,
} from '../../../packages/ranking/document.js';
import { skillSearchable, toolSearchable, type ToolTexts } from '../../../packages/ranking/tool-texts.js';
import {
  type LooseJson,
  numberIn,
  objectIn,
  objectsIn,
  textIn,
  textsIn,
} from '../../effective-catalog/shared.js';
import { lightApiTexts } from '../../endpoints/shared.js';
import { tierOf } from '../../platform/auth/sensitivity-tier.js';

export const kinds = ['tool', 'skill', 'endpoint'] as const;
export type Kind = (typeof kinds)[number];

/** References of a record to others. */
export interface Relations {
  /** Endpoint keys, with their relation. */
  readonly dependencies: readonly { readonly endpoint: string; readonly relation?: string | undefined }[];
  /** Endpoint key. */
  readonly fallback?: string | undefined;
  /** Ids of skills. */
  readonly skills: readonly string[];
}

/** A row of `search_document_t` without its host; null where the kind has no such field. */
export interface SearchDocument {
  readonly kind: Kind;
  readonly entity_id: string;
  readonly name: string;
  readonly description: string;
  readonly service_id: string | null;
  readonly env_tag: string | null;
  readonly sensitivity_tier: string | null;
  readonly domain: string | null;
  readonly semantic_namespace: string | null;
  readonly source_protocol: string | null;
  readonly implementation_type: string | null;
  readonly lifecycle_status: string | null;
  readonly api_id: string | null;
  readonly api_version_id: string | null;
  readonly target_personas: readonly string[];
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  readonly required_context: readonly string[];
  readonly semantic_weight: number;
  readonly read_only: boolean;
  readonly destructive: boolean;
  readonly endpoint: string | null;
  readonly related: Relations;
  readonly words: Words;
  readonly terms: readonly string[];
  readonly length: number;
}

/** A new document with the texts that its words come from. */
export type MadeDocument = SearchDocument & { readonly searchable: Searchable };

/** A word with the mark of its host, as the index keeps it. */
export function termOf(hostId: string, word: string): string {
  return `${hostId.slice(-8)} ${word}`;
}

/** A word of the name, marked by a sign that no word has. */
export function inName(word: string): string {
  return `^${word}`;
}

/** Distinct words that are indexed of one record: of its name and {@link foremost}, of its examples, then of its other texts. */
export const MOST_WORDS = 2_000;
/** Fields whose words go before those of the examples, up to a half of all, so that neither leave out the others. */
const foremost = ['description', 'keywords', 'parameters'] as const satisfies readonly Field[];
const MOST_FOREMOST = MOST_WORDS / 2;

/** Makes the columns of words. */
export function wordColumns(hostId: string, searchable: Searchable) {
  const words = firstWords(analyse(searchable));
  const lists = [...Object.values(words.fields), ...words.examples];
  const { name = [], joined = [] } = words.fields;
  const distinct = [...new Set([...lists.flat(), ...[...name, ...joined].map(inName)])];
  return {
    searchable,
    words,
    terms: distinct.map((word) => termOf(hostId, word)),
    length: lists.flat().length,
  };
}

/** Keeps the first `MOST_WORDS` distinct words. */
function firstWords({ fields, examples }: Words): Words {
  const known = new Set<string>();
  const first = (words: readonly string[], most = MOST_WORDS) =>
    words.filter((word) => known.has(word) || (known.size < most && known.add(word)));
  for (const field of ['name', 'joined'] as const) first(fields[field] ?? []);
  for (const field of foremost) first(fields[field] ?? [], MOST_FOREMOST);
  const keptExamples = examples.map((words) => first(words));
  const kept = Object.entries(fields).map(([field, words]) => [field, first(words)] as const);
  return { fields: Object.fromEntries(kept), examples: keptExamples };
}

interface Classified {
  readonly tags: readonly string[] | null;
  readonly categories: readonly string[] | null;
}

/** Fields of tools and endpoints; those of the endpoint are null for a tool without one. */
interface Routed extends Classified {
  readonly service_id: string | null;
  readonly env_tag: string | null;
  readonly source_protocol: string | null;
  readonly lifecycle_status: string;
  readonly tool_metadata: LooseJson;
  readonly api_id: string | null;
  readonly api_version_id: string | null;
  readonly endpoint: string | null;
  readonly endpoint_name: string | null;
  readonly endpoint_path: string | null;
  /** The operation that LightAPI describes. */
  readonly lightapi: unknown;
}

export interface ToolSource extends Routed {
  readonly tool_id: string;
  readonly name: string;
  readonly description: string;
  readonly implementation_type: string;
  readonly input_schema: object;
  readonly example_prompts: readonly string[];
  /** Those of the document that are approved, while newer ones wait; null: as the endpoint has them. */
  readonly document_prompts: readonly string[] | null;
}

/** As agents are told of it. */
export interface EndpointSource extends Routed {
  readonly endpoint_id: string;
  readonly description: string;
  readonly tool_schema: object;
}

export interface SkillSource extends Classified {
  readonly skill_id: string;
  readonly name: string;
  readonly description: string;
  readonly content_markdown: string;
  readonly depends_on: readonly string[];
}

export function toolDocument(hostId: string, row: ToolSource): MadeDocument {
  const { tool_id: id, name, description, input_schema: inputSchema } = row;
  const examplePrompts = [...new Set([...row.example_prompts, ...documentPrompts(row)])];
  const texts = { ...textsOf(row), toolId: id, name, description, inputSchema, examplePrompts };
  const own = { kind: 'tool', entity_id: id, name, description } as const;
  return { ...own, ...columnsOf(hostId, row, texts), implementation_type: row.implementation_type };
}

/** The example prompts of the document that are approved. */
export function documentPrompts({
  document_prompts: approved,
  lightapi,
}: Pick<ToolSource, 'document_prompts' | 'lightapi'>): readonly string[] {
  return approved ?? lightApiTexts(lightapi).prompts;
}

export function endpointDocument(hostId: string, row: EndpointSource): MadeDocument {
  const { endpoint_name: endpointName, description } = row;
  const name = endpointName ?? '';
  const texts = { ...textsOf(row), toolId: row.endpoint_id, name, description, inputSchema: row.tool_schema };
  const own = { kind: 'endpoint', entity_id: row.endpoint_id, name, description } as const;
  return { ...own, ...columnsOf(hostId, row, texts), implementation_type: null };
}

export function skillDocument(hostId: string, row: SkillSource): MadeDocument {
  const { skill_id: skillId, name, description, content_markdown: contentMarkdown } = row;
  const classes = classesOf(row);
  return {
    kind: 'skill',
    entity_id: skillId,
    name,
    description,
    service_id: null,
    env_tag: null,
    sensitivity_tier: null,
    domain: null,
    semantic_namespace: null,
    source_protocol: null,
    implementation_type: null,
    lifecycle_status: null,
    api_id: null,
    api_version_id: null,
    target_personas: [],
    ...classes,
    required_context: [],
    semantic_weight: 1,
    read_only: false,
    destructive: false,
    endpoint: null,
    related: { dependencies: [], skills: row.depends_on },
    ...wordColumns(hostId, skillSearchable({ skillId, name, description, contentMarkdown, ...classes })),
  };
}

function textsOf(row: Routed): Omit<ToolTexts, 'toolId' | 'name' | 'description' | 'inputSchema'> {
  const routing = objectIn(row.tool_metadata, 'routing');
  return {
    endpointName: row.endpoint_name ?? undefined,
    path: row.endpoint_path ?? undefined,
    notes: lightApiTexts(row.lightapi).notes,
    ...classesOf(row),
    routingMetadata: {
      domain: textIn(routing, 'domain'),
      semanticNamespace: textIn(routing, 'semanticNamespace'),
      category: textIn(routing, 'category'),
      semanticDescription: textIn(routing, 'semanticDescription'),
      semanticKeywords: textsIn(routing, 'semanticKeywords'),
    },
  };
}

function columnsOf(hostId: string, row: Routed, texts: ToolTexts) {
  const routing = objectIn(row.tool_metadata, 'routing');
  const safety = objectIn(row.tool_metadata, 'safety');
  const { service_id, env_tag, source_protocol, lifecycle_status, api_id, api_version_id, endpoint } = row;
  return {
    ...{ service_id, env_tag, source_protocol, lifecycle_status, api_id, api_version_id, endpoint },
    sensitivity_tier: tierOf(textIn(routing, 'sensitivityTier')),
    domain: textIn(routing, 'domain') ?? null,
    semantic_namespace: textIn(routing, 'semanticNamespace') ?? null,
    target_personas: textsIn(routing, 'targetPersonas'),
    ...classesOf(row),
    required_context: textsIn(objectIn(routing, 'contextRequirements'), 'requiredContext'),
    semantic_weight: Math.fround(numberIn(routing, 'semanticWeight') ?? 1),
    read_only: safety?.['readOnly'] === true,
    destructive: safety?.['destructive'] === true,
    related: {
      dependencies: objectsIn(routing, 'dependencies').flatMap((to) => {
        const [key, relation] = [textIn(to, 'endpoint'), textIn(to, 'relation')];
        return key === undefined ? [] : [{ endpoint: key, relation }];
      }),
      fallback: textIn(routing, 'fallbackEndpoint'),
      skills: [],
    },
    ...wordColumns(hostId, toolSearchable(texts)),
  };
}

const classesOf = ({ tags, categories }: Classified) => ({ tags: tags ?? [], categories: categories ?? [] });

export type SourceField = 'text' | 'example';

export interface Source {
  readonly source_field: SourceField;
  /** Hex SHA-256 of the text. */
  readonly source_hash: string;
  readonly source_text: string;
}

/** Characters of one text; models read fewer. */
const MAX_TEXT_LENGTH = 8_000;

/** The named fields as one text, and each example prompt as one of its own. */
export function sourcesOf({ texts, examples = [] }: Searchable, fields: readonly TextField[]): Source[] {
  const text = fields.map((field) => texts[field] ?? '').filter((part) => part !== '');
  const sources = [source('text', text.join('\n')), ...examples.map((example) => source('example', example))];
  const kept = sources.filter(({ source_text: each }) => each.trim() !== '');
  return [...new Map(kept.map((each) => [each.source_field + each.source_hash, each])).values()];
}

function source(field: SourceField, text: string): Source {
  const cut = text.slice(0, MAX_TEXT_LENGTH).replace(/\p{Surrogate}/gu, '');
  return {
    source_field: field,
    source_hash: createHash('sha256').update(cut).digest('hex'),
    source_text: cut,
  };
}
