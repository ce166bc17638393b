import type { Searchable } from './document.js';

/** A tool as the effective catalog gives it; what is missing adds nothing. */
export interface ToolTexts {
  readonly toolId: string;
  readonly name: string;
  readonly description: string;
  readonly endpointName?: string | undefined;
  readonly endpointDescription?: string | undefined;
  readonly path?: string | undefined;
  readonly tags?: readonly string[];
  readonly categories?: readonly string[];
  readonly inputSchema: unknown;
  readonly routingMetadata: RoutingTexts;
  readonly examplePrompts?: readonly string[] | undefined;
  /** What else is known of how it behaves. */
  readonly notes?: readonly string[] | undefined;
}

export interface RoutingTexts {
  readonly domain?: string | null | undefined;
  readonly semanticNamespace?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly semanticDescription?: string | null | undefined;
  readonly semanticKeywords?: readonly string[];
}

/** Depth and number of schemas that are read: what people ask for is near the top. */
const deepest = 8;
const MAX_SCHEMAS = 500;

/** @param skills names and descriptions of the skills that offer the tool */
export function toolSearchable(tool: ToolTexts, skills: readonly string[] = []): Searchable {
  const { routingMetadata: routing, examplePrompts: examples = [] } = tool;
  const { names, descriptions, values } = schemaTexts(tool.inputSchema);
  const own = tool.endpointDescription === tool.description ? undefined : tool.endpointDescription;
  const same = tool.endpointName === tool.name ? undefined : tool.endpointName;
  return {
    id: tool.toolId,
    examples,
    texts: {
      name: tool.name,
      description: tool.description,
      keywords: joined(
        ...[same, routing.domain, routing.semanticNamespace, routing.category, routing.semanticDescription],
        ...(routing.semanticKeywords ?? []),
        ...(tool.tags ?? []),
        ...(tool.categories ?? []),
      ),
      parameters: joined(...names),
      details: joined(own, tool.path, ...(tool.notes ?? []), ...descriptions),
      values: joined(...values),
      skills: joined(...skills),
    },
  };
}

export interface SkillTexts {
  readonly skillId: string;
  readonly name: string;
  readonly description: string;
  readonly contentMarkdown: string;
  readonly tags?: readonly string[];
  readonly categories?: readonly string[];
}

export function skillSearchable(skill: SkillTexts): Searchable {
  const { skillId: id, name, description, contentMarkdown, tags = [], categories = [] } = skill;
  return {
    id,
    texts: { name, description, keywords: joined(...tags, ...categories), details: contentMarkdown },
  };
}

/** Parts apart, so that the last word of one and the first of the next are no neighbours in one sentence. */
export function joined(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== null && part !== '').join(' \n');
}

/** Names, descriptions and values of all parameters in a JSON Schema. */
function schemaTexts(schema: unknown) {
  const names: string[] = [];
  const descriptions: string[] = [];
  const values: string[] = [];
  let read = 0;
  const walk = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > deepest || read++ > MAX_SCHEMAS) return;
    const { description, enum: among, const: only, properties, ...rest } = node as Record<string, unknown>;
    if (depth > 0 && typeof description === 'string') descriptions.push(description);
    for (const value of [...(Array.isArray(among) ? (among as unknown[]) : []), only]) {
      if (typeof value === 'string') values.push(value);
    }
    for (const [name, member] of Object.entries(objectOr(properties))) {
      names.push(name);
      walk(member, depth + 1);
    }
    const { items, allOf, anyOf, oneOf, $defs } = rest;
    const inner = [items, allOf, anyOf, oneOf].flat().concat(Object.values(objectOr($defs)));
    for (const each of inner) walk(each, depth + 1);
  };
  walk(schema, 0);
  return { names, descriptions, values };
}

function objectOr(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
