/** Declares the commands that follow from routes: what each takes, gives and demands is what its route declares. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import type { DeclaredRoute } from '../platform/http/operation.js';
import { isUuidParameter, parameterNames, text, uuid } from '../platform/http/schemas.js';
import type { CommandSpec, Parameters } from './agent-command.js';
import type { Scope } from '../platform/auth/caller.js';

/** Operations that are commands, by their noun; the name of the command is that of the operation: `updateSkill`, `update_skill`. */
const routedOperations = {
  skill: [
    ...['updateSkill', 'activateSkill', 'deactivateSkill', 'getSkillImpact', 'previewSkill'],
    ...['draftSkillFromTools', 'saveSkill', 'putSkillTaxonomy', 'deleteSkillTool'],
    ...['putSkillDependency', 'deleteSkillDependency', 'putSkillWorkflow', 'deleteSkillWorkflow'],
  ],
  agent: [
    ...['listAgentDefinitions', 'putAgentDefinition', 'activateAgentDefinition'],
    ...['deactivateAgentDefinition', 'getAgentDefinitionImpact', 'validateAgentSkills'],
    ...['createAgentSkill', 'replaceAgentSkills', 'updateAgentSkill', 'deleteAgentSkill'],
  ],
  tool: [
    ...['getToolImpact', 'acceptToolChanges', 'teachTools', 'putToolTaxonomy'],
    ...['getEndpointImpact', 'acceptEndpointChanges', 'settleEndpointConflict', 'putEndpointTaxonomy'],
    ...['getApiImpact', 'getApiVersionImpact'],
  ],
  workflow: [
    ...['listWorkflows', 'validateWorkflow', 'createWorkflow', 'updateWorkflow', 'publishWorkflow'],
    ...['deprecateWorkflow', 'activateWorkflow', 'deactivateWorkflow', 'putWorkflowTaxonomy'],
  ],
  taxonomy: [
    ...['listCategories', 'createCategory', 'updateCategory', 'deleteCategory'],
    ...['listTags', 'createTag', 'updateTag', 'deleteTag'],
  ],
  gateway: [
    ...['listGateways', 'putGateway', 'activateGateway', 'deactivateGateway', 'putToolExposures'],
    ...['getGatewayDrift', 'checkGateway', 'acceptGatewayDrift', 'dismissGatewayDrift', 'reopenGatewayDrift'],
  ],
  webhook: ['listWebhooks', 'putWebhook', 'deleteWebhook', 'replayWebhook', 'replayWebhookDelivery'],
  settings: ['getHostSettings', 'putHostSettings'],
  discovery: ['listPublicEntries', 'putPublicEntry', 'deletePublicEntry'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Names of the operations, in the order in which their commands are listed. */
export const routedNames: readonly string[] = Object.values(routedOperations).flat();

/** Operations that ask systems outside of the catalog. */
const reachingOut: readonly string[] = ['checkGateway'];

/** `updateSkill` as `update_skill`. */
export function commandNameOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The parts of a request that a route takes; its schema has checked that those of the path are texts. */
interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Parameters;
  readonly body: Parameters;
}

/** The route of a command, and how its parameters are told apart. */
export interface RoutedSpec extends CommandSpec {
  readonly operation: DeclaredRoute['operation'];
  readonly partsOf: (given: Parameters) => RequestParts;
}

/** Makes the command of a route. Throws Error where two parts of its request have a member of one name. */
export function routedSpec({ method, url, operation }: DeclaredRoute): RoutedSpec {
  const { id, summary, description = summary, confined, batch, status } = operation;
  const params = Object.fromEntries(namesIn(url).map((name) => [name, paramOf(operation.params, name)]));
  const query = partOf(operation.query);
  const body = partOf(operation.body);
  const properties = { ...params, ...query.properties, ...body.properties };
  const taken = [
    params,
    query.properties,
    body.properties,
    { format: 0, expectedVersion: 0, idempotencyKey: 0 },
  ];
  const names = taken.flatMap((part) => Object.keys(part));
  if (new Set(names).size < names.length) throw new Error(`${id} takes two members of one name.`);
  const writes = method !== 'GET' && operation.reads !== true;
  return {
    ...{ name: commandNameOf(id), summary, description, properties },
    required: [...Object.keys(params), ...query.required, ...body.required],
    ...{ result: operation.answer, scope: scopesOf(operation.scope), writes, execution: 'direct' },
    ...(writes && { idempotent: method !== 'POST', overwrites: status !== 201 }),
    ...(batch && { batch }),
    ...(confined && { confined }),
    ...(!writes && { agentless: true }),
    ...{ brief: true, reachesOut: reachingOut.includes(id) },
    operation,
    partsOf: (given) => ({
      params: picked(given, Object.keys(params)) as RequestParts['params'],
      query: picked(given, Object.keys(query.properties)),
      body: picked(given, Object.keys(body.properties)),
    }),
  };
}

/** The parameters of a path without the host, which is the token’s. */
function namesIn(url: string): string[] {
  return parameterNames(url).filter((name) => name !== 'hostId');
}

const MAX_TEXT = 512;

function paramOf(params: DeclaredRoute['operation']['params'], name: string): JSONSchema {
  return params?.[name] ?? (isUuidParameter(name) ? uuid : text(MAX_TEXT));
}

interface Part {
  readonly properties: Readonly<Record<string, JSONSchema>>;
  readonly required: readonly string[];
}

function partOf(schema: JSONSchema | undefined): Part {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<Part>;
  return { properties, required };
}

function scopesOf(scope: DeclaredRoute['operation']['scope']): readonly Scope[] {
  return [scope].flat().filter((each): each is Scope => each !== 'none');
}

function picked(given: Parameters, names: readonly string[]): Parameters {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}
