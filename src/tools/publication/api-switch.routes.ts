import { Post, type Type } from '@nestjs/common';
import {
  api,
  apiVersion,
  type ApiVersionFacts,
  type Deactivated,
  deactivation,
  requireApiVersion,
  requireWholeVersion,
  versionsOfApi,
} from '../../endpoints/public.js';
import { apiId, apiVersionExampleId, deactivationAnswer, impactExample } from '../../endpoints/shared.js';
import type { Command } from '../../kernel/command.js';
import type { Sql } from '../../kernel/sql.js';
import { covers } from '../../platform/auth/caller.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { Problem } from '../../platform/http/problem.js';
import { writeRoute } from '../../platform/records/routes.js';
import { handle, type Receipt, receiptOf, UseCase } from '../../platform/use-cases/use-case.js';
import { apiActivationAnswer } from '../tool/tool-answers.schemas.js';
import { NameClaims } from '../model/tool-name.js';
import { DeactivateTool } from '../model/tool.commands.js';
import { nameClaimsOf, returningTools } from '../tool/tool.lookup.js';

/** A tool that stays inactive when its API comes back, since its name is taken. */
interface NameConflict {
  readonly toolId: string;
  readonly name: string;
  readonly code: 'tool_name_taken';
  readonly detail: string;
}

/** The subject of a switch: an API by its `apiId`, or one version. */
interface SwitchedApi {
  readonly kind: 'api' | 'api_version';
  readonly id: string;
}

interface Api {
  readonly apiId: string;
}
interface Version {
  readonly apiVersionId: string;
}
type Activated = Receipt & { readonly conflicts: readonly NameConflict[] };

/** Always allowed to whoever sees all of it: tools, links and assignments stay, and what they gave is withheld. */
class DeactivateApi extends UseCase<Api, Deactivated> {}
class DeactivateApiVersion extends UseCase<Version, Deactivated> {}
class ActivateApi extends UseCase<Api, Activated> {}
class ActivateApiVersion extends UseCase<Version, Activated> {}

export const apiSwitchHandlers = [
  ...switching('api', 'apiId', DeactivateApi, ActivateApi),
  ...switching('api_version', 'apiVersionId', DeactivateApiVersion, ActivateApiVersion),
];

function switching<Id extends string>(
  kind: SwitchedApi['kind'],
  id: Id,
  deactivate: Type<UseCase<Readonly<Record<Id, string>>, Deactivated>>,
  activate: Type<UseCase<Readonly<Record<Id, string>>, Activated>>,
) {
  return [
    deactivation(deactivate, {
      kind,
      id,
      requireSeen: (sql, visibility, subject) => versionsOf(sql, visibility, { kind, id: subject }),
      command: (hostId, subject) => deactivating(hostId, { kind, id: subject }),
    }),
    handle(activate, {
      load: (sql, input, { visibility }) => planActivation(sql, visibility, { kind, id: input[id] }),
      decide: ({ commands }) => commands,
      result: (outcomes, position, { conflicts }) => ({ ...receiptOf(outcomes, position), conflicts }),
    }),
  ];
}

/** Plans an activation: tools take their names again, in turn; one whose name is taken stays inactive. */
async function planActivation(
  sql: Sql,
  visibility: Visibility,
  subject: SwitchedApi,
): Promise<{ readonly commands: readonly Command[]; readonly conflicts: readonly NameConflict[] }> {
  const versions = await versionsOf(sql, visibility, subject);
  const { hostId } = visibility;
  const returning = versions.filter(({ active, apiActive }) => (subject.kind === 'api' ? active : apiActive));
  const tools = await returningTools(
    sql,
    hostId,
    returning.map(({ apiVersionId }) => apiVersionId),
  );
  const names = tools.map(({ name }) => name);
  const claims = new NameClaims(await nameClaimsOf(sql, hostId, names));
  const conflicts: NameConflict[] = [];
  for (const tool of tools) {
    const { toolId, name, version } = tool;
    if (!claims.takenFrom(tool).includes(version)) claims.add(tool);
    else {
      const detail = `Another active tool is called ${name} ${version} by now: the tool ${toolId} stays inactive.`;
      conflicts.push({ toolId, name, code: 'tool_name_taken', detail });
    }
  }
  const activation = activating(hostId, subject);
  if (conflicts.length === 0) return { commands: [activation], conflicts };
  const stayingOut = conflicts.map(
    ({ toolId }) => new DeactivateTool(hostId, toolId, { reason: 'name_taken' }),
  );
  // Tools leave before the others come back, so that no name is held twice at any event. The first command, which finds
  // all off already, says whose version If-Match is about.
  return { commands: [deactivating(hostId, subject), ...stayingOut, activation], conflicts };
}

function deactivating(hostId: string, { kind, id }: SwitchedApi): Command {
  return (kind === 'api' ? api : apiVersion).deactivate(hostId, id);
}

function activating(hostId: string, { kind, id }: SwitchedApi): Command {
  return (kind === 'api' ? api : apiVersion).activate(hostId, id);
}

/** Returns the versions that are switched. Throws NotFound, and Problem 403 where the token does not cover all of them. */
async function versionsOf(
  sql: Sql,
  visibility: Visibility,
  { kind, id }: SwitchedApi,
): Promise<readonly ApiVersionFacts[]> {
  const versions =
    kind === 'api'
      ? await versionsOfApi(sql, visibility.hostId, id)
      : [await requireApiVersion(sql, visibility, id)];
  if (!versions.every(({ serviceId, envTag }) => covers(visibility, serviceId, envTag))) throw notCovered(id);
  for (const { apiVersionId } of versions) await requireWholeVersion(sql, visibility, apiVersionId);
  return versions;
}

function notCovered(apiId: string): Problem {
  const detail = `The API ${apiId} has versions of services or environments that the token does not cover. Switch those versions that it covers, or take a token that covers all of them.`;
  return new Problem(403, 'api_not_covered', detail);
}

const kept = 'tools, links and assignments stay. The answer says whom it hits.';
const returns =
  'Tools take their names again; one that finds another tool under its name stays inactive, and is among `conflicts`.';
const versionReceipt = { id: apiVersionExampleId, version: 2, position: 30, changed: true };
const apiReceipt = { ...versionReceipt, id: 'accounts' };

/** Activates and deactivates APIs and their versions; it is part of the tools, since their names are concerned. */
export const apiSwitchRoutes = [
  writeRoute(
    [Post, 'apis/:apiId/deactivate'],
    {
      id: 'deactivateApi',
      summary: 'Switch an API off, with all its versions',
      description: `Nothing of it is offered; ${kept} Refused with \`api_not_covered\` where the token does not cover all its versions.`,
      scope: 'catalog:write',
      params: { apiId },
      answer: deactivationAnswer,
      example: { answer: { ...apiReceipt, impact: impactExample } },
    },
    DeactivateApi,
  ),
  writeRoute(
    [Post, 'apis/:apiId/activate'],
    {
      id: 'activateApi',
      summary: 'Switch an API on again',
      description: `Those of its versions that are active are offered again. ${returns}`,
      scope: 'catalog:write',
      params: { apiId },
      answer: apiActivationAnswer,
      example: { answer: { ...apiReceipt, version: 3, conflicts: [] } },
    },
    ActivateApi,
  ),
  writeRoute(
    [Post, 'api-versions/:apiVersionId/deactivate'],
    {
      id: 'deactivateApiVersion',
      summary: 'Switch an API version off',
      description: `Nothing of it is offered, and an agent that is one with it is given nothing; ${kept}`,
      scope: 'catalog:write',
      answer: deactivationAnswer,
      example: { answer: { ...versionReceipt, impact: impactExample } },
    },
    DeactivateApiVersion,
  ),
  writeRoute(
    [Post, 'api-versions/:apiVersionId/activate'],
    {
      id: 'activateApiVersion',
      summary: 'Switch an API version on again',
      description: `It is offered again where its API is active. ${returns}`,
      scope: 'catalog:write',
      answer: apiActivationAnswer,
      example: { answer: { ...versionReceipt, version: 3, conflicts: [] } },
    },
    ActivateApiVersion,
  ),
];
