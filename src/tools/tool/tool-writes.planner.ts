import { v7 } from 'uuid';
import { type Deactivated, deactivation, inactiveAmong } from '../../endpoints/public.js';
import { loosened, override } from '../../endpoints/shared.js';
import type { Command, Outcome } from '../../kernel/command.js';
import { Invalid, NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { refuseLessGuarded, requireScope } from '../../platform/auth/claims.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import {
  firstOf,
  handle,
  type Receipt,
  receiptWith,
  UseCase,
  type Writer,
} from '../../platform/use-cases/use-case.js';
import { redacted, type Redacted, type SecretWarning } from '../../platform/validation/secrets-in-texts.js';
import { checkToolSchemas, lateRefusal } from '../../registry/shared.js';
import { settingsOf } from '../../settings/public.js';
import { type Classification, taxonomyOf } from '../../taxonomy/public.js';
import { effectiveFields } from '../model/tool-change.js';
import {
  addressModel,
  type ChangeMark,
  loosenedAtFirst,
  type ToolFields,
  unsaidSafety,
} from '../model/tool-facts.js';
import { NameClaims } from '../model/tool-name.js';
import { toolsWithReviewedTexts } from './reviewed-texts.lookup.js';
import * as tool from '../model/tool.commands.js';
import { nameClaimsOf } from './tool.lookup.js';
import { type NewTool, toolExampleId, type ToolPatch } from './tool.schemas.js';
import { type KnownTool, waitingVersion } from '../model/tool.state.js';
import { requireTool, visibleTools } from './tools.filter.js';
import type { ToolRow } from './tools.row.js';
import { refuseNewSchemas } from './kept-schemas.lookup.js';
import { withheldScript, type WithheldTool } from './withheld-tools.planner.js';

type Author = Pick<Writer, 'caller' | 'visibility'>;

const unsaid = {
  routing: {},
  safety: unsaidSafety,
  lifecycleStatus: 'active',
} as const;

interface Id {
  readonly toolId: string;
}

/** What a receipt says of the tool beside its id and aggregate version. */
export interface WrittenToolReceipt extends Receipt {
  readonly name: string;
  readonly toolVersion: string;
  readonly active: boolean;
  /** The version of its source that waits for a review, where one does. */
  readonly inReview?: string;
  /** Where secrets were replaced. */
  readonly warnings?: readonly SecretWarning[];
  /** Where agents are not given the tool before it is accepted. */
  readonly withheld?: readonly WithheldTool[];
}

/** Creates a tool without an endpoint. Only administrators may name an approval workflow, or say that it is read-only. */
export class CreateTool extends UseCase<NewTool, WrittenToolReceipt> {}
/** Only administrators may loosen a guard (docs/contract.md, section 2), or take back an override that tightened one. */
export class UpdateTool extends UseCase<Id & ToolPatch, WrittenToolReceipt> {}
export class ActivateTool extends UseCase<Id, WrittenToolReceipt> {}
/** Always allowed: a skill that loses its last active tool keeps its assignments and is withheld. */
export class DeactivateTool extends UseCase<Id, Deactivated<Omit<WrittenToolReceipt, keyof Receipt>>> {}
class PutToolTaxonomy extends UseCase<Classification<'toolId'>> {}

export const toolTaxonomy = taxonomyOf({
  ...{ entityType: 'tool', path: 'tools/:toolId', id: 'toolId', exampleId: toolExampleId },
  ...{ useCase: PutToolTaxonomy, requireSeen: requireTool },
});

/** The members that a batch reports of each tool beside id and aggregate version. */
export function inReceipt({ after }: Outcome) {
  const tool = after as KnownTool;
  const { name, version: toolVersion, status } = tool;
  const inReview = waitingVersion(tool);
  return { name, toolVersion, active: status === 'active', ...(inReview !== undefined && { inReview }) };
}

function warned(
  outcomes: readonly Outcome[],
  position: number,
  { warnings }: Redacted<object>,
): WrittenToolReceipt {
  const { id, after } = firstOf(outcomes);
  const withheld = withheldScript(id, after as KnownTool);
  return {
    ...receiptWith(inReceipt)(outcomes, position),
    ...(warnings.length > 0 && { warnings }),
    ...(withheld.length > 0 && { withheld }),
  };
}

export const toolHandlers = [
  handle(CreateTool, {
    check: checkToolSchemas,
    prepare: (sent) => redacted(sent),
    async load(sql, _sent, writer, { body, warnings }) {
      return { body, warnings, commands: await planCreation(sql, writer, body) };
    },
    decide: ({ commands }) => commands,
    result: warned,
  }),
  handle(UpdateTool, {
    prepare: async ({ toolId: _id, ...sent }) => ({
      late: lateRefusal(sent),
      ...(await redacted<ToolPatch>(sent)),
    }),
    async load(sql, { toolId }, writer, { body, warnings, late }) {
      return { body, warnings, commands: await planUpdate(sql, writer, { toolId, late }, body) };
    },
    decide: ({ commands }) => commands,
    result: warned,
  }),
  handle(ActivateTool, {
    load: (sql, { toolId }, { visibility }) => planActivation(sql, visibility, toolId),
    decide: (commands) => commands,
    result: receiptWith(inReceipt),
  }),
  deactivation(DeactivateTool, {
    ...{ kind: 'tool', id: 'toolId', requireSeen: requireTool },
    command: (hostId, toolId) => new tool.DeactivateTool(hostId, toolId, { reason: 'operator' }),
    more: inReceipt,
  }),
  toolTaxonomy.handler,
];

async function planCreation(sql: Sql, { caller, visibility }: Author, body: NewTool): Promise<Command[]> {
  const { name, description, implementationType, implementationClass = null, scriptContent = null } = body;
  const { routing = null, safety = null, lifecycleStatus = null, inputSchema, responseSchema = null } = body;
  if (implementationClass !== null && scriptContent !== null) throw twoImplementations();
  const said = override({}, {}, { routing, safety, lifecycleStatus }).overrides;
  const words = effectiveFields({ ...unsaid, description }, said);
  refuseLessGuarded(caller, loosenedAtFirst(words).length > 0);
  const [hostId, toolId] = [visibility.hostId, v7()];
  const claims = new NameClaims(await nameClaimsOf(sql, hostId, [name]));
  return [
    new tool.CreateTool(hostId, toolId, {
      ...{ name, implementationType, implementationClass, scriptContent, words },
      invocation: { inputSchema, sourceProtocol: null, capabilityRef: null },
      outputSchema: responseSchema,
      autoApprove: (await settingsOf(sql, hostId)).autoApprove,
      taken: claims.takenFrom({ toolId, name, envTag: null }),
    }),
  ];
}

async function planUpdate(
  sql: Sql,
  { caller, visibility }: Author,
  { toolId, late }: { readonly toolId: string; readonly late: Invalid | undefined },
  { examplePrompts, inputSchema, responseSchema, ...said }: ToolPatch,
): Promise<Command[]> {
  const known = await visibleTool(sql, visibility, toolId);
  await refuseNewSchemas(sql, visibility, { toolId, inputSchema, outputSchema: responseSchema }, late);
  const { overrides } = override({ operator: known.overrides }, {}, said);
  const after = effectiveFields(known.words, overrides);
  const before = effectiveFields(known.words, known.overrides);
  refuseLessGuarded(caller, loosened(before, after).length > 0);
  refuseLessGuarded(caller, addressModel(examplePrompts ?? []));
  const { autoApprove } = await settingsOf(sql, visibility.hostId);
  const reviewed = examplePrompts && (await toolsWithReviewedTexts(sql, visibility.hostId, [toolId]));
  if (reviewed?.has(toolId)) requireScope(caller, 'catalog:approve');
  const prompts = examplePrompts === undefined ? {} : { examplePrompts };
  const taken = await takenFrom(sql, visibility, known);
  const schemas = {
    ...(inputSchema !== undefined && { inputSchema }),
    ...(responseSchema !== undefined && { outputSchema: responseSchema }),
  };
  const revision = Object.keys(schemas).length === 0 ? {} : { schemas };
  const terms = { taken, autoApprove };
  return [
    new tool.UpdateTool(visibility.hostId, toolId, { overrides: said, ...prompts, ...revision, ...terms }),
  ];
}

export async function planActivation(sql: Sql, visibility: Visibility, toolId: string): Promise<Command[]> {
  const taken = await takenFrom(sql, visibility, await visibleTool(sql, visibility, toolId));
  return [new tool.ActivateTool(visibility.hostId, toolId, { taken })];
}

interface WrittenTool {
  readonly tool_id: string;
  readonly name: string;
  readonly env_tag: string | null;
  readonly endpoint_id: string | null;
  readonly api_version_id: string | null;
  readonly api_id: string | null;
  readonly words: ToolFields;
  readonly overrides: ToolRow['overrides'];
  readonly change: ChangeMark | null;
}

/** Throws NotFound, also for what the token does not cover (docs/contract.md, section 2). */
export async function visibleTool(sql: Sql, visibility: Visibility, toolId: string): Promise<WrittenTool> {
  const where = visibleTools(visibility).add('tool_id = ?', toolId);
  const [row] = await sql.query<WrittenTool>(
    `SELECT tool_id, name, env_tag, endpoint_id, api_version_id, api_id, words, overrides, change
     FROM tool_t ${where.sql()}`,
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
