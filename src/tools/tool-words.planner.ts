import { v7 } from 'uuid';
import type { Command } from '../eventsourcing/command.js';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { inactiveAmong } from '../endpoints/api-version.lookup.js';
import { AcceptEndpointChanges } from '../endpoints/endpoint.commands.js';
import { knownEndpoints } from '../endpoints/endpoint-layer.lookup.js';
import { factsFrom, fieldsOf } from '../endpoints/endpoint.layers.js';
import { override } from '../endpoints/endpoint.overrides.js';
import { awaitsAdministrator } from '../endpoints/endpoint.state.js';
import { loosened } from '../endpoints/safety-policy.js';
import { refuseLessGuarded } from '../platform/auth/less-guarded.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Writer } from '../platform/http/parameters.js';
import { settingsOf } from '../settings/host-settings.lookup.js';
import { AcceptToolChanges, ActivateTool, CreateTool, DeactivateTool, UpdateTool } from './tool.commands.js';
import type { ChangeMark, ToolWords } from './tool-facts.js';
import { nameClaimsOf } from './tool.lookup.js';
import type { NewTool, ToolPatch } from './tool.schemas.js';
import { acceptedFields, effectiveWords, suspiciousFields } from './tool-change.js';
import { NameClaims } from './tool-name.js';
import { visibleTools } from './tools.filter.js';
import type { ToolRow } from './tools.row.js';

type Author = Pick<Writer, 'caller' | 'visibility'>;

const unsaid = {
  routing: {},
  safety: { readOnly: false, idempotent: false, destructive: false, humanApprovalRequired: false },
  lifecycleStatus: 'active',
} as const;

/** A tool without an endpoint. Naming an approval workflow is the administrator's. */
export async function planCreation(
  sql: Sql,
  { caller, visibility }: Author,
  body: NewTool,
): Promise<Command[]> {
  const { name, description, implementationType, implementationClass = null, scriptContent = null } = body;
  const { routing = null, safety = null, lifecycleStatus = null, inputSchema, responseSchema = null } = body;
  if (implementationClass !== null && scriptContent !== null) throw twoImplementations();
  const said = override({}, {}, { routing, safety, lifecycleStatus }).overrides;
  const words = effectiveWords({ ...unsaid, description }, said);
  refuseLessGuarded(caller, words.safety.approvalWorkflow !== undefined);
  const { hostId } = visibility;
  const toolId = v7();
  const claims = new NameClaims(await nameClaimsOf(sql, hostId, [name]));
  return [
    new CreateTool(hostId, toolId, {
      ...{ name, implementationType, implementationClass, scriptContent, words },
      invocation: { inputSchema, sourceProtocol: null, capabilityRef: null },
      outputSchema: responseSchema,
      quarantine: (await settingsOf(sql, hostId)).quarantine,
      taken: claims.takenFrom({ toolId, name, envTag: null }),
    }),
  ];
}

/** Loosening a guard is the administrator's (contract 2); so is taking a word back that tightened it. */
export async function planUpdate(
  sql: Sql,
  { caller, visibility }: Author,
  toolId: string,
  { examplePrompts, inputSchema, responseSchema, ...said }: ToolPatch,
): Promise<Command[]> {
  const tool = await visibleTool(sql, visibility, toolId);
  const { overrides } = override({ operator: tool.overrides }, {}, said);
  const after = effectiveWords(tool.words, overrides);
  const before = effectiveWords(tool.words, tool.overrides);
  refuseLessGuarded(caller, loosened(before, after).length > 0);
  const prompts = examplePrompts === undefined ? {} : { examplePrompts };
  const taken = await takenFrom(sql, visibility, tool);
  const schemas = {
    ...(inputSchema !== undefined && { inputSchema }),
    ...(responseSchema !== undefined && { outputSchema: responseSchema }),
  };
  const revision =
    Object.keys(schemas).length === 0
      ? {}
      : { schemas, quarantine: (await settingsOf(sql, visibility.hostId)).quarantine };
  return [new UpdateTool(visibility.hostId, toolId, { overrides: said, ...prompts, ...revision, taken })];
}

export async function planActivation(sql: Sql, visibility: Visibility, toolId: string): Promise<Command[]> {
  const tool = await visibleTool(sql, visibility, toolId);
  const taken = await takenFrom(sql, visibility, tool);
  return [new ActivateTool(visibility.hostId, toolId, { taken })];
}

/** Always allowed: a skill that loses its last active tool keeps its assignments and is withheld. */
export async function planDeactivation(sql: Sql, visibility: Visibility, toolId: string): Promise<Command[]> {
  await visibleTool(sql, visibility, toolId);
  return [new DeactivateTool(visibility.hostId, toolId, { reason: 'operator' })];
}

/** Whether what waits to be accepted is suspicious, also by what the tool guards now. */
function needsAdministrator({ routing, safety }: ToolWords, change: ChangeMark | null): boolean {
  if (change !== null && suspiciousFields(change).length > 0) return true;
  const before = factsFrom(acceptedFields(fieldsOf({ routing, safety }), change));
  return loosened({ routing: {}, safety: {}, ...before }, { routing, safety }).length > 0;
}

/** Accepts as well what the documents say of the tool's endpoint: it is what was looked at. */
export async function planAcceptance(
  sql: Sql,
  { caller, visibility }: Author,
  toolId: string,
): Promise<Command[]> {
  const { hostId } = visibility;
  const { endpoint_id: endpointId, change, words } = await visibleTool(sql, visibility, toolId);
  const endpoints = await knownEndpoints(sql, hostId, endpointId === null ? [] : [endpointId]);
  const isSuspicious = needsAdministrator(words, change) || [...endpoints.values()].some(awaitsAdministrator);
  refuseLessGuarded(caller, isSuspicious);
  const endpoint = endpointId === null ? [] : [new AcceptEndpointChanges(hostId, endpointId, {})];
  return [new AcceptToolChanges(hostId, toolId, {}), ...endpoint];
}

interface WrittenTool {
  readonly tool_id: string;
  readonly name: string;
  readonly env_tag: string | null;
  readonly endpoint_id: string | null;
  readonly api_version_id: string | null;
  readonly api_id: string | null;
  readonly words: ToolWords;
  readonly overrides: ToolRow['overrides'];
  readonly change: ChangeMark | null;
}

/** What the token does not cover answers like what does not exist (contract 2). */
async function visibleTool(sql: Sql, visibility: Visibility, toolId: string): Promise<WrittenTool> {
  const where = visibleTools(visibility).add('tool_id = ?', toolId);
  const [row] = await sql.query<WrittenTool>(
    `SELECT tool_id, name, env_tag, endpoint_id, api_version_id, api_id, words, overrides, change FROM tool_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('tool', toolId);
  return row;
}

/** A tool of an API that is inactive holds no name, so none is taken from it. */
async function takenFrom(sql: Sql, { hostId }: Visibility, tool: WrittenTool): Promise<readonly string[]> {
  const { tool_id: toolId, name, env_tag: envTag, api_id: apiId, api_version_id: apiVersionId } = tool;
  if (apiId !== null && apiVersionId !== null) {
    const version = { apiId, apiVersionId };
    if ((await inactiveAmong(sql, hostId, [version]))(version)) return [];
  }
  return new NameClaims(await nameClaimsOf(sql, hostId, [name])).takenFrom({ toolId, name, envTag });
}

function twoImplementations(): Invalid {
  const detail = 'A tool has either an implementationClass or a scriptContent. Leave one out.';
  return new Invalid('invalid_body', detail, [{ pointer: '/scriptContent', detail }]);
}
