/** Whether what an endpoint says is new to its tool, or waits. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { compareVersions } from '../../registry/shared.js';
import { guardedBy } from './tool-change.js';
import type { RefreshTool } from './tool.commands.js';
import { type KnownTool, openDraft, type ToolVersion } from './tool.state.js';

type Fresh = RefreshTool['payload'];

export function bringsNothing(tool: KnownTool, { words, invocation, kept }: Fresh): boolean {
  return (
    isDeepStrictEqual([tool.words, tool.invocation], [words, invocation]) &&
    isDeepStrictEqual(kept.before, kept.after)
  );
}

/** Whether what the endpoint says is what it said last, and waits as what comes next. Guards are in force at once: they say nothing of it. */
export function isWaiting(tool: KnownTool, fresh: Fresh): boolean {
  const open = openDraft(tool);
  return (
    open?.content.kept !== undefined && compareVersions(open.version, tool.version) > 0 && isOf(open, fresh)
  );
}

/** Whether what waits under the tool's own number says what the endpoint says no more. */
export function saysOther(tool: KnownTool, fresh: Fresh): boolean {
  const open = openDraft(tool);
  return open?.version === tool.version && !isOf(open, fresh);
}

/** Whether the version says what the endpoint says, but for guards. */
function isOf({ content }: ToolVersion, { words, invocation, kept }: Fresh): boolean {
  const { after } = keptOf({ kept });
  return isDeepStrictEqual(
    [guardedBy(content.words, words), content.invocation, content.kept?.after ?? after],
    [words, invocation, after],
  );
}

/** Whether the first version waits and says this. */
export function isSaid(tool: KnownTool, content: ToolVersion['content']): boolean {
  const open = openDraft(tool);
  return open?.version === tool.version && isDeepStrictEqual(saying(open.content), saying(content));
}

export const saying = (content: ToolVersion['content']) => ({ ...content, effective: undefined });

export function keptOf({ kept }: Pick<Fresh, 'kept'>): {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
} {
  return { before: { ...kept.before }, after: { ...kept.after } };
}
