import type { AllowedTool } from '../importers/skill/skill-md-fields.js';
import type { SkillDocument, Unresolved } from './skill-document.schemas.js';
import type { StoredFolder } from './skill-folder.events.js';
import type { LinkBody } from './skill-tool.schemas.js';
import type { NamedTool } from '../tools/tool.lookup.js';

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

/** The tool that a document means: by its endpoint before its name, linked before active before any other. */
export function resolveTool(
  { reference, names, endpoint }: WantedTool,
  known: readonly NamedTool[],
  linked: ReadonlySet<string>,
): NamedTool | Unresolved {
  const behind = known.filter(
    (tool) =>
      endpoint !== undefined &&
      tool.endpoint === endpoint.key &&
      tool.apiId === endpoint.apiId &&
      tool.apiVersion === endpoint.apiVersion,
  );
  const called = names.map((name) => known.filter((tool) => tool.name === name));
  const found = [behind, ...called].find((tools) => tools.length > 0) ?? [];
  const preferred = [
    found.filter(({ toolId }) => linked.has(toolId)),
    found.filter(({ active }) => active),
    found,
  ].find((tools) => tools.length > 0);
  const [tool, ...others] = preferred ?? [];
  if (tool === undefined) return { kind: 'tool', reference, reason: 'not_found' };
  return others.length === 0 ? tool : { kind: 'tool', reference, reason: 'ambiguous' };
}

export function isResolved(found: NamedTool | Unresolved): found is NamedTool {
  return 'toolId' in found;
}
