/** Makes the tools that a model is shown, of the gateway's list and the catalog. Pure. */
import { createHash } from 'node:crypto';
import { gradeInput, type SchemaGrade } from '../schema-grade/schema-grade.js';
import { sameSchema } from '../schema-grade/schema-reading.js';
import type { JsonObject as SchemaObject } from '../schema-reading/keywords.js';
import { modernInput } from '../schema-reading/modern-schema.js';
import type { CatalogTool, JsonObject } from './catalog-document.js';
import type { LiveTool } from './gateway.js';
import type { ToolEntry } from './searchable-catalog.js';

export interface OfferedTool {
  /** Name at the gateway. */
  readonly name: string;
  /** Name for models, made to fit `^[A-Za-z0-9_-]{1,64}$`. */
  readonly modelName: string;
  /** Description of the catalog, else of the gateway. */
  readonly description: string;
  /** Input schema of the gateway. */
  readonly inputSchema: JsonObject;
  readonly annotations?: JsonObject;
  readonly source: 'catalog' | 'gateway';
  /** Set where the gateway's schema takes more than the catalog's. */
  readonly schemaDiffers?: 'compatible';
  readonly toolId?: string;
  /** Version that calls name: an older one that the gateway serves beside that which it lists. */
  readonly version?: string;
  /** The day from which its version may be retired, and what to take instead: for those who run the agent. */
  readonly deprecation?: CatalogTool['deprecation'];
  /** Names of the skills that offer it. */
  readonly skills: readonly string[];
  /** Relevance to the prompt; 0 for tools that came with another, or unselected. */
  readonly score: number;
  /** Related tools of the same prompt. */
  readonly related: readonly RelatedTool[];
  readonly safety?: CatalogTool['safety'];
  /** Arguments that the user must be asked for. */
  readonly askFirst: readonly string[];
}

/** `dependency`: called with it; `fallback`: to use where it fails. */
export interface RelatedTool extends Pick<OfferedTool, 'name' | 'modelName'> {
  readonly reason: 'dependency' | 'fallback';
  /** Relation of a dependency, such as `frequently_chained_after`. */
  readonly relation?: string;
}

/**
 * Compares the schemas of gateway and catalog. `breaking`: the gateway demands arguments that the catalog does not
 * have, or no longer takes some of its. The gateway's schema may be of an older dialect, and is read as an import
 * reads it.
 */
export function schemaGrade({ tool }: ToolEntry, { inputSchema }: LiveTool): SchemaGrade {
  if (sameSchema(tool.inputSchema, inputSchema)) return 'none';
  return gradeInput(tool.inputSchema, modernInput(inputSchema as SchemaObject));
}

export interface Circumstances {
  readonly score: number;
  readonly grade: SchemaGrade;
  /** Whether the gateway serves the catalog's version beside the one that it lists. */
  readonly isOlder: boolean;
  /** Names of the context. */
  readonly known: ReadonlySet<string>;
}

export function fromCatalog(
  { tool, skills }: ToolEntry,
  live: LiveTool,
  { score, grade, isOlder, known }: Circumstances,
): OfferedTool {
  const { requiredInputs } = tool.routingMetadata.contextRequirements;
  return {
    ...shown(live),
    ...{ description: tool.description, source: 'catalog', toolId: tool.toolId, score, safety: tool.safety },
    ...{ skills: skills.map(({ name }) => name), related: [] },
    askFirst: requiredInputs.filter((name) => !known.has(name)),
    ...(grade === 'compatible' && { schemaDiffers: grade }),
    ...(isOlder && { version: tool.version }),
    ...(tool.deprecation !== undefined && { deprecation: tool.deprecation }),
  };
}

/** Characters of a description from outside. */
const MAX_DESCRIPTION_LENGTH = 2_000;

export function fromGateway(live: LiveTool): OfferedTool {
  const description = (live.description ?? '').slice(0, MAX_DESCRIPTION_LENGTH);
  return { ...shown(live), description, source: 'gateway', skills: [], score: 0, related: [], askFirst: [] };
}

function shown({ name, inputSchema, annotations }: LiveTool) {
  return {
    name,
    modelName: modelNameOf(name),
    inputSchema,
    ...(annotations !== undefined && { annotations }),
  };
}

const fits = /^[A-Za-z0-9_-]{1,64}$/;

/** Makes a name for models; different names stay different. */
function modelNameOf(name: string): string {
  if (fits.test(name)) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 55)}_${mark}`;
}
