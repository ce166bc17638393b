/** Relates tools: those that are called together, and those to use where one fails. Pure. */
import type { OfferedTool, RelatedTool } from './offered-tool.js';
import { endpointsOf, type SearchableCatalog, type ToolEntry } from './searchable-catalog.js';

type Places = Pick<SearchableCatalog, 'toolsAt'>;

interface Reference extends Pick<RelatedTool, 'reason' | 'relation'> {
  readonly entry: ToolEntry;
}

/** Characters of a relation. */
const MAX_RELATION_LENGTH = 64;

/**
 * Finds the tools that come with the matching ones, in their order; for one that can't be called only its fallback.
 */
export function companionsOf(
  catalog: Places,
  matched: readonly ToolEntry[],
  lost: ReadonlySet<ToolEntry>,
): readonly ToolEntry[] {
  const known = new Set(matched);
  const found = matched.flatMap((entry) =>
    referencesOf(catalog, entry)
      .filter(({ reason }) => reason === 'fallback' || !lost.has(entry))
      .map((reference) => reference.entry),
  );
  return [...new Set(found)].filter((entry) => !known.has(entry));
}

/** Adds the related tools to offered ones. */
export function related(catalog: SearchableCatalog, offered: readonly OfferedTool[]): readonly OfferedTool[] {
  const byId = new Map(offered.map((tool) => [tool.toolId, tool]));
  const entries = new Map(catalog.tools.map((entry) => [entry.tool.toolId, entry]));
  return offered.map((tool) => {
    const entry = tool.toolId === undefined ? undefined : entries.get(tool.toolId);
    return entry === undefined ? tool : { ...tool, related: relatedTo(catalog, entry, byId) };
  });
}

/** Pairs matching tools that can't be called with offered fallbacks. */
export function substitutes(
  catalog: Places,
  lost: readonly ToolEntry[],
  offered: readonly OfferedTool[],
): readonly Substitute[] {
  const byId = new Map(offered.map((tool) => [tool.toolId, tool]));
  return lost.flatMap((entry) =>
    relatedTo(catalog, entry, byId)
      .filter(({ reason }) => reason === 'fallback')
      .map(({ modelName }) => ({ lost: entry.tool.name, instead: modelName })),
  );
}

export interface Substitute {
  readonly lost: string;
  /** Name for models. */
  readonly instead: string;
}

function relatedTo(
  catalog: Places,
  entry: ToolEntry,
  offered: ReadonlyMap<string | undefined, OfferedTool>,
): readonly RelatedTool[] {
  return referencesOf(catalog, entry).flatMap(({ entry: { tool }, reason, relation }) => {
    const found = offered.get(tool.toolId);
    if (found === undefined) return [];
    const { name, modelName } = found;
    return [{ name, modelName, reason, ...(relation !== undefined && { relation }) }];
  });
}

function referencesOf({ toolsAt }: Places, entry: ToolEntry): readonly Reference[] {
  const { apiVersionId, routingMetadata } = entry.tool;
  const { dependencies = [], fallbackEndpoint } = routingMetadata;
  const at = (key: string): readonly ToolEntry[] => {
    const [own, any] = endpointsOf(key, apiVersionId);
    return (toolsAt.get(own) ?? toolsAt.get(any) ?? []).filter((one) => one !== entry);
  };
  const called = dependencies.flatMap(({ endpoint, relation }) =>
    at(endpoint).map((one) => ({
      ...{ entry: one, reason: 'dependency' as const },
      ...(typeof relation === 'string' && { relation: inOneLine(relation) }),
    })),
  );
  const instead = typeof fallbackEndpoint === 'string' ? at(fallbackEndpoint) : [];
  return [...called, ...instead.map((one) => ({ entry: one, reason: 'fallback' as const }))];
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_RELATION_LENGTH);
