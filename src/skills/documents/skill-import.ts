import type { AllowedTool } from '../../documents/skill-md.js';
import type { SkillDocument, Unresolved } from './skill-document.schemas.js';
import type { StoredFolder } from './skill-folder.record.js';
import type { LinkBody } from '../links/skill-tool.rules.js';
import type { NamedTool } from '../../tools/public.js';

/** A tool as a document refers to it. */
export interface WantedTool extends AllowedTool {
  readonly endpoint?: { readonly apiId: string; readonly apiVersion: string; readonly key: string };
  readonly accessLevel?: LinkBody['accessLevel'];
  readonly config: LinkBody['config'];
}

/** A skill on its way in, whatever it was written in. What is left out of it stays as it is. */
export interface IncomingSkill extends Omit<
  SkillDocument,
  'tools' | 'formatVersion' | 'description' | 'version' | 'tags' | 'categories'
> {
  readonly description?: string | undefined;
  readonly version?: string | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly tools?: readonly WantedTool[];
  /**
   * True: the tools are all that the skill has, the names all that it is classified as. False: it has these tools
   * too, if it had not, and is classified only where nobody has classified it.
   */
  readonly complete: boolean;
  readonly folder?: StoredFolder;
  /** True: an export would write the same folder without having it. */
  readonly isPlain?: boolean;
}

/** What the tools of a document stand for here. */
export interface ResolvedTools {
  readonly found: readonly { readonly toolId: string; readonly tool: WantedTool }[];
  readonly unresolved: readonly Unresolved[];
  /** Ids of all that may be meant: those that were found, and those that an ambiguous reference leaves to choose from. */
  readonly meant: ReadonlySet<string>;
}

/**
 * The tools that a document means: by the endpoint before the name, linked before active before any other. Linked ones
 * that nothing tells apart are taken in order, where the document refers to as many.
 */
export function resolveTools(
  tools: readonly WantedTool[],
  known: readonly NamedTool[],
  linked: ReadonlySet<string>,
): ResolvedTools {
  const choices = tools.map((tool) => ({ tool, ids: candidates(tool, known, linked) }));
  const sure = new Set(choices.flatMap(({ ids }) => (ids.length === 1 ? ids : [])));
  const left = choices.map(({ tool, ids }) => {
    const others = ids.filter((id) => !sure.has(id));
    return { tool, ids: ids.length > 1 && others.length > 0 ? others : ids };
  });
  const found = new Map<string, WantedTool>();
  const unresolved: Unresolved[] = [];
  for (const { tool, ids } of left) {
    const rivals = left.filter((other) => other.ids.join() === ids.join()).length;
    const isClear = ids.length === 1 || (rivals >= ids.length && ids.every((id) => linked.has(id)));
    const toolId = isClear ? (ids.find((id) => !found.has(id)) ?? ids[0]) : undefined;
    if (toolId !== undefined) found.set(toolId, tool);
    else {
      const reason = ids.length === 0 ? 'not_found' : 'ambiguous';
      const choices = known.filter(({ toolId: id }) => ids.includes(id)).map(namesOf);
      const among = ids.length === 0 ? {} : { choices };
      unresolved.push({ kind: 'tool', reference: tool.reference, reason, ...among });
    }
  }
  return {
    found: [...found].map(([toolId, tool]) => ({ toolId, tool })),
    unresolved,
    meant: new Set(left.flatMap(({ ids }) => ids)),
  };
}

/** The names by which the tools that a document means may be known here: as they stand, and without the API in front. */
export function lookedUpNames(tools: readonly Pick<WantedTool, 'names'>[]): string[] {
  return tools.flatMap(({ names }) => names).flatMap((name) => [name, name.replace(/^.*\//, '')]);
}

/** What a person tells a tool by. */
export function namesOf({ toolId, name, apiId, apiVersion }: NamedTool) {
  return { toolId, name, apiId, apiVersion };
}

/** By its name, or with its API or API version in front: `orders/getOrder`, `orders@1.0.0/getOrder`. */
function isCalled({ name: own, apiId, apiVersion }: NamedTool, name: string): boolean {
  if (own === name) return true;
  if (apiId === null) return false;
  return `${apiId}/${own}` === name || `${apiId}@${apiVersion ?? ''}/${own}` === name;
}

/** Ids, in order. */
function candidates(
  { names, endpoint }: WantedTool,
  known: readonly NamedTool[],
  linked: ReadonlySet<string>,
): string[] {
  const behind = known.filter(
    (tool) =>
      endpoint !== undefined &&
      tool.endpoint === endpoint.key &&
      tool.apiId === endpoint.apiId &&
      tool.apiVersion === endpoint.apiVersion,
  );
  const called = names.map((name) => known.filter((tool) => isCalled(tool, name)));
  const found = [behind, ...called].find((tools) => tools.length > 0) ?? [];
  const preferred =
    [found.filter(({ toolId }) => linked.has(toolId)), found.filter(({ active }) => active)].find(
      (tools) => tools.length > 0,
    ) ?? found;
  const namesakes = preferred.filter((tool) => names.some((name) => isCalled(tool, name)));
  return (namesakes.length > 0 ? namesakes : preferred).map(({ toolId }) => toolId).sort();
}
