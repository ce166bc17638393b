/** A tool as it is shown to a model, made of what the gateway lists and what the catalog says of it. Pure. */
import { createHash } from 'node:crypto';
import { gradeInput, type SchemaGrade } from '../schema-grade/schema-grade.js';
import { sameSchema } from '../schema-grade/schema-reading.js';
import type { JsonObject as SchemaObject } from '../schema-reading/keywords.js';
import { modernInput } from '../schema-reading/modern-schema.js';
import type { CatalogTool, JsonObject } from './catalog-document.js';
import type { LiveTool } from './gateway.js';
import type { ToolEntry } from './searchable-catalog.js';

export interface OfferedTool {
  /** By which the gateway calls it. */
  readonly name: string;
  /** The name where models take it as it is, else one made of it that they do (`^[A-Za-z0-9_-]{1,64}$`). */
  readonly modelName: string;
  /** The catalog's; of a tool that only the gateway knows, the gateway's. */
  readonly description: string;
  /** The gateway's, as it is now. */
  readonly inputSchema: JsonObject;
  readonly annotations?: JsonObject;
  readonly source: 'catalog' | 'gateway';
  /** The gateway's schema takes more than the catalog's says. */
  readonly schemaDiffers?: 'compatible';
  readonly toolId?: string;
  /** Names of the skills that offer it. */
  readonly skills: readonly string[];
  /** Relevance to the prompt; 0 where it came with another tool, or nothing was selected. */
  readonly score: number;
  /** Others of the same prompt that the catalog names for it. */
  readonly related: readonly RelatedTool[];
  readonly safety?: CatalogTool['safety'];
  /** Arguments that somebody must be asked for. */
  readonly askFirst: readonly string[];
}

/** `dependency`: what it is called with; `fallback`: what may do where it fails. */
export interface RelatedTool extends Pick<OfferedTool, 'name' | 'modelName'> {
  readonly reason: 'dependency' | 'fallback';
  /** What a dependency is to it, as the catalog names it: `frequently_chained_after`. */
  readonly relation?: string;
}

/**
 * `breaking`: the gateway demands what the catalog does not speak of, or no longer takes what it does. What the gateway
 * lists is read as an import reads it: it may be of an older dialect, and the catalog has it in the newest.
 */
export function schemaGrade({ tool }: ToolEntry, { inputSchema }: LiveTool): SchemaGrade {
  if (sameSchema(tool.inputSchema, inputSchema)) return 'none';
  return gradeInput(tool.inputSchema, modernInput(inputSchema as SchemaObject));
}

export interface Circumstances {
  readonly score: number;
  readonly grade: SchemaGrade;
  /** Names of the context at hand. */
  readonly known: ReadonlySet<string>;
}

export function fromCatalog(
  { tool, skills }: ToolEntry,
  live: LiveTool,
  { score, grade, known }: Circumstances,
): OfferedTool {
  const { requiredInputs } = tool.routingMetadata.contextRequirements;
  return {
    ...shown(live),
    ...{ description: tool.description, source: 'catalog', toolId: tool.toolId, score, safety: tool.safety },
    ...{ skills: skills.map(({ name }) => name), related: [] },
    askFirst: requiredInputs.filter((name) => !known.has(name)),
    ...(grade === 'compatible' && { schemaDiffers: grade }),
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

/** Different names stay different. */
function modelNameOf(name: string): string {
  if (fits.test(name)) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 55)}_${mark}`;
}
