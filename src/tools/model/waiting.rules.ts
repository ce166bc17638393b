/** What waits of a tool, beside what agents are given of it. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { compareVersions } from '../../registry/shared.js';
import { nextVersion, scriptFields, type VersionGrade, versionGradeOf } from './tool-change.js';
import type { ToolEvent } from './tool.events.js';
import { draftEvent } from './drafts.rules.js';
import { type KnownTool, openDraft, type ToolVersion } from './tool.state.js';

/** The refusal of the version that the source made, or of the first one, before it changed once more: unless that is this one. */
export function superseded(tool: KnownTool, by: string = tool.version): readonly ToolEvent[] {
  const open = openDraft(tool);
  if (open === undefined || open.version === by) return [];
  const reason = 'The tool has changed since.';
  return [{ type: 'ToolVersionRejectedEvent', data: { version: open.version, reason } }];
}

/** What an operator wrote of the version that waits. */
export function operatorsOf(
  open: Pick<ToolVersion, 'content'> | undefined,
): Pick<ToolVersion['content'], 'overrides'> {
  const overrides = open?.content.overrides;
  return overrides === undefined ? {} : { overrides };
}

/** What an operator wrote, and nobody has decided on, waits on beside what the tool is now. */
export function waitingOn(
  tool: KnownTool,
  operators: Pick<ToolVersion['content'], 'overrides'>,
  taken: readonly string[],
): readonly ToolEvent[] {
  if (operators.overrides === undefined) return [];
  const numbers = [tool.version, ...numbersTaken(tool, taken)];
  return [reviewed(tool, nextVersion(tool.version, 'wording', numbers), operators)];
}

/** Ends what waits of the source where that says something else now; what only an operator wrote of it waits as it is. */
export function overtaken(tool: KnownTool, now: KnownTool, taken: readonly string[]): readonly ToolEvent[] {
  const open = openDraft(tool);
  if (open === undefined || open.version === tool.version || isOperators(open, now)) return [];
  return [...superseded(tool), ...waitingOn(now, operatorsOf(open), taken)];
}

/** Whether what waits differs from what the tool is now, or was given as last, by an operator's words alone. */
export function isOperators(open: ToolVersion & { readonly version: string }, now: KnownTool): boolean {
  const { words, invocation, outputSchema, kept } = open.content;
  return (
    kept === undefined &&
    compareVersions(open.version, now.version) > 0 &&
    isDeepStrictEqual([words, invocation, outputSchema], [now.words, now.invocation, now.outputSchema])
  );
}

/** A version of the tool in review: as the tool is now, but for these parts. */
export function reviewed(
  tool: KnownTool,
  version: string,
  parts: Partial<ToolVersion['content']>,
): ToolEvent {
  const { words, invocation, outputSchema } = tool;
  const content = { words, invocation, outputSchema, ...parts };
  return draftEvent(tool, version, content, { origin: 'source', state: 'in_review', specText: null });
}

/** Numbers that the next version can't have: a number stands for one content, also where that was rejected. */
export function numbersTaken(tool: KnownTool, taken: readonly string[]): readonly string[] {
  return [...taken, ...Object.keys(tool.versions)];
}

/**
 * The number of the first version where it has changed: each stands for one content. Where agents had the tool, links keep to the
 * number that they were given, and the grade counts.
 */
export function firstNumber(tool: KnownTool, grade: VersionGrade, taken: readonly string[]): string {
  return nextVersion(tool.version, wasEnded(tool) ? grade : 'wording', numbersTaken(tool, taken));
}

/** Whether agents had the tool, and somebody has ended all of it: then a person lets it in again. */
export function wasEnded({ approved, versions }: KnownTool): boolean {
  return !approved && Object.values(versions).some((version) => version?.state === 'retired');
}

/** What waits and is passed by the number of what agents are given: what it says beside that, and how much it changes of that. */
export function takenUp(
  tool: KnownTool,
  { content }: ToolVersion,
): { readonly content: Partial<ToolVersion['content']>; readonly grade: VersionGrade } {
  // An endpoint says of itself what it changes: beside an operator's words the version is as the tool was.
  if (content.kept === undefined && content.overrides !== undefined && tool.endpointId !== null)
    return { content: operatorsOf({ content }), grade: 'wording' };
  return { content, grade: versionGradeOf(scriptFields(tool), scriptFields(content)) };
}
