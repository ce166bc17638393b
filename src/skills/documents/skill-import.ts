import type { DocumentWarning } from '../../documents/findings.js';
import type { AllowedTool } from '../../documents/skill-md.js';
import type { SkillDocument, Unresolved } from './skill-document.schemas.js';
import type { StoredFolder } from './skill-folder.record.js';
import type { LinkBody } from '../links/skill-tool.rules.js';
import type { NamedTool } from '../../tools/public.js';

/** A tool as a document refers to it. */
export interface WantedTool extends AllowedTool {
  readonly endpoint?: { readonly apiId: string; readonly apiVersion: string; readonly key: string };
  readonly accessLevel?: LinkBody['accessLevel'];
  readonly range?: LinkBody['range'];
  readonly config: LinkBody['config'];
}

/** A skill to be imported, whatever its format. What is left out stays as it is. */
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
   * True: tools, categories and tags replace those of the skill. False: tools are added, and the skill is classified only
   * where nobody has classified it.
   */
  readonly complete: boolean;
  readonly folder?: StoredFolder;
  /** True: an export writes the same folder from the skill alone. */
  readonly isPlain?: boolean;
  /** What its author should know. */
  readonly warnings?: readonly DocumentWarning[];
}

/** The tools of this catalog that a document refers to. */
export interface ResolvedTools {
  readonly found: readonly { readonly toolId: string; readonly tool: WantedTool }[];
  readonly unresolved: readonly Unresolved[];
  /** Ids of the tools found, and of the choices that ambiguous references leave. */
  readonly meant: ReadonlySet<string>;
}

/**
 * Finds the tools that a document means: by endpoint before name, linked before active before any other. Linked ones
 * with equal names are taken in order, where the document refers to as many.
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

/** Lists the names to look tools up by: as they are written, and without the API in front. */
export function lookedUpNames(tools: readonly Pick<WantedTool, 'names'>[]): string[] {
  return tools.flatMap(({ names }) => names).flatMap((name) => [name, name.replace(/^.*\//, '')]);
}

/** Picks what identifies a tool for people. */
export function namesOf({ toolId, name, apiId, apiVersion }: NamedTool) {
  return { toolId, name, apiId, apiVersion };
}

/** Whether a name is that of the tool, alone or with API or API version in front: `orders/getOrder`, `orders@1.0.0/getOrder`. */
function isCalled({ name: own, apiId, apiVersion }: NamedTool, name: string): boolean {
  if (own === name) return true;
  if (apiId === null) return false;
  return `${apiId}/${own}` === name || `${apiId}@${apiVersion ?? ''}/${own}` === name;
}

/** Lists ids of the tools that a reference may mean, in order. */
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
