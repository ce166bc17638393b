import type { EndpointFacts, RoutingFacts, SafetyFacts } from '../../formats/endpoint-facts.js';
import {
  below,
  listMember,
  member,
  objectMember,
  textMember,
  textsOf,
  type JsonObject,
} from '../../documents/json.js';
import type { WarningLog } from '../../documents/findings.js';
import { approvalWorkflowOf, routingExtras } from '../routing-extras.js';

/**
 * What an operation says of its meaning, as a layer takes it. Visibility is the tier of the same name, unless
 * `metadata.routing` names one; `requiresConfirmation` asks for a human's approval; `safeToRetry` is idempotent. A
 * draft says nothing of the lifecycle: what is called is the source's.
 */
export function meaningOf(operation: JsonObject, pointer: string, warnings: WarningLog): EndpointFacts {
  const [summary, text] = [textMember(operation, 'summary'), textMember(operation, 'description')];
  const description = text ?? summary;
  const extras = objectMember(operation['metadata'], 'routing') ?? {};
  const routing = routingOf(operation, extras, pointer, warnings);
  const safety = safetyOf(operation, extras);
  const tags = textsOf(operation, 'tags');
  const capability = objectMember(operation, 'capability');
  const lifecycleStatus = lifecycles.find((status) => status === operation['lifecycle']);
  const capabilityRef = textMember(operation, 'endpointId');
  return {
    ...(summary !== undefined && { title: summary }),
    ...(description !== undefined && { description }),
    ...(lifecycleStatus !== undefined && { lifecycleStatus }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(capability !== undefined && { capability }),
    ...(capabilityRef !== undefined && { capabilityRef }),
    ...(Object.keys(routing).length > 0 && { routing }),
    ...(Object.keys(safety).length > 0 && { safety }),
    lightapi: operation,
  };
}

const lifecycles = ['active', 'deprecated', 'retired'] as const;

function routingOf(
  operation: JsonObject,
  extras: JsonObject,
  pointer: string,
  warnings: WarningLog,
): RoutingFacts {
  const visibility = textMember(operation, 'visibility');
  const related = textsOf(objectMember(operation['agent'], 'skill'), 'relatedOperations');
  const said = routingExtras(extras, below(pointer, 'metadata', 'routing'), warnings);
  const dependencies = [
    ...(said.dependencies ?? []),
    ...related.map((endpoint) => ({ endpoint, relation: 'related' })),
  ];
  return {
    ...(visibility !== undefined && { sensitivityTier: visibility }),
    ...said,
    ...(dependencies.length > 0 && { dependencies }),
  };
}

function safetyOf(operation: JsonObject, extras: JsonObject): SafetyFacts {
  const said = objectMember(operation, 'safety');
  const flag = (name: keyof SafetyFacts, ...values: unknown[]) => {
    const value = values.find((candidate) => typeof candidate === 'boolean');
    return value === undefined ? {} : { [name]: value };
  };
  const approvalWorkflow = approvalWorkflowOf(extras);
  return {
    ...flag('readOnly', extras['readOnly'], extras['read_only']),
    ...flag('idempotent', extras['idempotent'], member(operation['idempotency'], 'safeToRetry')),
    ...flag('destructive', extras['destructive'], member(said, 'destructive')),
    ...flag('humanApprovalRequired', extras['humanApprovalRequired'], member(said, 'requiresConfirmation')),
    ...(approvalWorkflow !== undefined && { approvalWorkflow }),
  };
}

/** LightAPI's document on the whole API: `info`, and what `agent` says of all operations or of the one named. */
export function inheritedOf(root: JsonObject, names: readonly string[], warnings: WarningLog): EndpointFacts {
  const { info, agent } = root;
  const extras = objectMember(objectMember(info, 'metadata'), 'routing') ?? {};
  const [purpose, sensitiveFields] = [textMember(agent, 'purpose'), textsOf(agent, 'sensitiveFields')];
  const routing = {
    semanticNamespace: textMember(info, 'namespace') ?? '',
    ...(purpose !== undefined && { semanticDescription: purpose }),
    ...(sensitiveFields.length > 0 && { sensitiveFields: [...sensitiveFields] }),
    ...routingExtras(extras, '/info/metadata/routing', warnings),
  };
  const safety = {
    ...safetyOf({}, extras),
    ...(textsOf(agent, 'destructiveOperations').some((name) => names.includes(name)) && {
      destructive: true,
    }),
  };
  const area = listMember(agent, 'capabilities').find((capability) =>
    textsOf(capability, 'operations').some((name) => names.includes(name)),
  );
  const group = textMember(area, 'area');
  const tags = textsOf(info, 'tags');
  return {
    routing,
    ...(Object.keys(safety).length > 0 && { safety }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(group !== undefined && { capability: { group } }),
  };
}
