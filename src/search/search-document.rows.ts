/** Rows of the slices' read views, and the documents that are made of them. Pure. */
import { skillSearchable, toolSearchable, type ToolTexts } from '../../packages/ranking/tool-texts.js';
import {
  objectIn,
  objectsIn,
  numberIn,
  textIn,
  textsIn,
  type LooseJson,
} from '../effective-catalog/loose-json.js';
import { lightApiWords } from '../endpoints/lightapi-words.js';
import { tierOf } from '../platform/auth/sensitivity-tier.js';
import { wordColumns, type MadeDocument } from './search-document.js';

interface Classified {
  readonly tags: readonly string[] | null;
  readonly categories: readonly string[] | null;
}

/** What a tool and an endpoint have in common; the endpoint's is null for a tool without one. */
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
  readonly endpoint_desc: string | null;
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
}

export interface EndpointSource extends Routed {
  readonly endpoint_id: string;
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
  const examplePrompts = [...new Set([...row.example_prompts, ...lightApiWords(row.lightapi).prompts])];
  const texts = { ...textsOf(row), toolId: id, name, description, inputSchema, examplePrompts };
  const own = { kind: 'tool', entity_id: id, name, description } as const;
  return { ...own, ...columnsOf(hostId, row, texts), implementation_type: row.implementation_type };
}

export function endpointDocument(hostId: string, row: EndpointSource): MadeDocument {
  const [name, description] = [row.endpoint_name ?? '', row.endpoint_desc ?? ''];
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
    endpointDescription: row.endpoint_desc ?? undefined,
    path: row.endpoint_path ?? undefined,
    notes: lightApiWords(row.lightapi).notes,
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
