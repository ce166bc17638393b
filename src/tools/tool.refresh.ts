import { isDeepStrictEqual } from 'node:util';
import { differences } from '../endpoints/change-grade.js';
import { acceptedFields, effectiveWords, markOf, shownFields, versionGradeOf } from './tool-change.js';
import type { RefreshTool } from './tool.commands.js';
import type { ToolEvent, ToolRefreshed } from './tool.events.js';
import type { KnownTool } from './tool.state.js';
import { nextVersion } from './tool-version.js';

type Fresh = RefreshTool['payload'];

/**
 * What a change of the endpoint makes of its tool (contract 5): the operator's words stay, the version rises, and
 * what changed beneath is marked until somebody accepts it. The tool's own flag is left alone, but where the
 * endpoint comes back and another tool has the name by now, the tool stays out.
 */
export function refreshed(tool: KnownTool, fresh: Fresh): readonly ToolEvent[] {
  const same = bringsNothing(tool, fresh);
  if (same && fresh.endpointActive === tool.endpointActive) return [];
  const staysOut = returnsTo(tool, fresh) && fresh.taken.includes(tool.version);
  const { words, invocation, endpointActive } = fresh;
  const data: ToolRefreshed['data'] = same
    ? { endpointActive, version: tool.version, change: tool.change }
    : {
        endpointActive,
        version: versionAfter(tool, fresh, staysOut),
        change: changeAfter(tool, fresh),
        source: { words, invocation, effective: effectiveWords(words, tool.overrides) },
      };
  return [{ type: 'ToolRefreshedEvent', data }, ...(staysOut ? [stayingOut] : [])];
}

const stayingOut: ToolEvent = { type: 'ToolDeactivatedEvent', data: { reason: 'name_taken' } };

function bringsNothing(tool: KnownTool, { words, invocation, kept }: Fresh): boolean {
  return (
    isDeepStrictEqual([tool.words, tool.invocation], [words, invocation]) &&
    isDeepStrictEqual(kept.before, kept.after)
  );
}

function returnsTo(tool: KnownTool, { endpointActive }: Fresh): boolean {
  return tool.status === 'active' && endpointActive && !tool.endpointActive;
}

/** Raised by what agents see change, the operator's words over it; a tool in use keeps clear of its namesakes. */
function versionAfter(tool: KnownTool, fresh: Fresh, staysOut: boolean): string {
  const { words, invocation, kept, endpointActive, taken } = fresh;
  const before = effectiveWords(tool.words, tool.overrides);
  const seen = shownFields(before, tool.invocation.inputSchema, kept.before);
  const now = shownFields(effectiveWords(words, tool.overrides), invocation.inputSchema, kept.after);
  if (differences(seen, now).length === 0) return tool.version;
  const inUse = tool.status === 'active' && endpointActive && !staysOut;
  return nextVersion(tool.version, versionGradeOf(seen, now), inUse ? taken : []);
}

function changeAfter(tool: KnownTool, { words, invocation, kept }: Fresh): ToolRefreshed['data']['change'] {
  const before = shownFields(tool.words, tool.invocation.inputSchema, kept.before);
  return markOf(acceptedFields(before, tool.change), shownFields(words, invocation.inputSchema, kept.after));
}
