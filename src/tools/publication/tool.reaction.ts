import type { Caused, Change, Reaction } from '../../kernel/slice.js';
import { type EndpointState, ImportEndpoint } from '../../endpoints/shared.js';
import { endpointChange, type EndpointRecord } from '../../endpoints/public.js';
import { settingsOf } from '../../settings/public.js';
import { RefreshTool } from '../model/tool.commands.js';
import { type EndpointTool, nameClaimsOf, toolsOfEndpoints } from '../tool/tool.lookup.js';
import { NameClaims, takenInTurn } from '../model/tool-name.js';
import { sourceOf } from '../model/tool-facts.js';

/** Carries every change of an endpoint into its tool, in the same transaction (docs/contract.md, section 5). */
export const refreshTools: Reaction = {
  name: 'refresh-tools',
  on: [
    'ApiEndpointImportedEvent',
    'ApiEndpointVanishedEvent',
    'ApiEndpointReturnedEvent',
    'ApiEndpointOverriddenEvent',
    'ApiEndpointActivatedEvent',
    'ApiEndpointDeactivatedEvent',
    'ApiEndpointConflictSettledEvent',
    'ApiEndpointChangesAcceptedEvent',
  ],

  async react(changes, sql) {
    const old = new Map(changes.filter(isOld).map((change) => [change.id, change]));
    const [first] = old.values();
    if (first === undefined) return [];
    const { hostId } = first.command;
    const tools = await toolsOfEndpoints(sql, hostId, [...old.keys()]);
    const moves = tools.flatMap((tool) => moveOf(tool, old.get(tool.endpointId)));
    if (moves.length === 0) return [];
    const names = moves.map(({ tool }) => tool.name);
    const leaving = new Set(moves.filter(({ after }) => !after.active).map(({ tool }) => tool.toolId));
    const claims = new NameClaims(await nameClaimsOf(sql, hostId, names, leaving));
    const staying = moves.filter(({ tool, after }) => after.active && tool.active && tool.versionActive);
    const taken = takenInTurn(
      staying.map(({ tool }) => tool),
      claims,
    );
    // First tools give up their names, then others take them: no name is ever held twice.
    const inOrder = [
      ...moves.filter(({ after }) => !after.active),
      ...moves.filter(({ after }) => after.active),
    ];
    const { autoApprove } = await settingsOf(sql, hostId);
    return inOrder.map((move) => refresh(move, { taken: taken.get(move.tool.toolId) ?? [], autoApprove }));
  },
};

/** A tool whose endpoint changes. */
interface Move {
  readonly tool: EndpointTool;
  readonly cause: Change;
  readonly before: EndpointRecord | undefined;
  readonly after: EndpointRecord;
}

function moveOf(tool: EndpointTool, cause: Change | undefined): Move[] {
  return cause === undefined ? [] : [{ tool, cause, ...endpointChange(cause) }];
}

/** An endpoint that is new in this write has no tool yet. */
function isOld({ before }: Change): boolean {
  return (before as EndpointState).status === 'known';
}

function refresh(
  { tool, cause, before, after }: Move,
  terms: Pick<RefreshTool['payload'], 'taken' | 'autoApprove'>,
): Caused {
  const { words, offered, invocation, kept } = sourceOf(after);
  const former = before && sourceOf(before);
  const { command: by } = cause;
  const seen = by instanceof ImportEndpoint && by.payload.seen === true;
  const byDocument = !seen && cause.eventTypes.includes('ApiEndpointImportedEvent');
  const command = new RefreshTool(cause.command.hostId, tool.toolId, {
    endpointActive: after.active,
    words,
    ...(offered !== undefined && { offered }),
    invocation,
    ...(former && { formerWords: former.words }),
    kept: { before: former?.kept ?? {}, after: kept },
    ...(!byDocument && { operator: { fields: ownFields(after) } }),
    ...terms,
  });
  return { command, cause };
}

function ownFields({ provenance }: EndpointRecord): readonly string[] {
  return Object.keys(provenance).filter((field) => provenance[field] === 'operator');
}
