import type { EndpointFacts, RoutingFacts, SafetyFacts } from '../endpoint-facts.js';
import {
  below,
  listMember,
  member,
  objectMember,
  textMember,
  textsOf,
  type JsonObject,
} from '../../documents/json.js';
import type { WarningSink } from '../../documents/findings.js';
import { saidFacts } from '../format.js';
import { approvalWorkflowOf, routingMetadata } from '../routing-metadata.js';

/**
 * What an operation says of its meaning, as a layer takes it. Visibility is the tier of the same name, unless
 * `metadata.routing` names one; `requiresConfirmation` asks for a human's approval; `safeToRetry` is idempotent. A
 * draft says nothing of the lifecycle: what is called is the source's.
 */
export function meaningOf(operation: JsonObject, pointer: string, warnings: WarningSink): EndpointFacts {
  const summary = textMember(operation, 'summary');
  const extras = objectMember(operation['metadata'], 'routing') ?? {};
  return saidFacts({
    title: summary,
    description: textMember(operation, 'description') ?? summary,
    lifecycleStatus: lifecycles.find((status) => status === operation['lifecycle']),
    tags: [...textsOf(operation, 'tags')],
    capability: objectMember(operation, 'capability'),
    capabilityRef: textMember(operation, 'endpointId'),
    routing: routingOf(operation, extras, pointer, warnings),
    safety: safetyOf(operation, extras),
    lightapi: operation,
  });
}

const lifecycles = ['active', 'deprecated', 'retired'] as const;

function routingOf(
  operation: JsonObject,
  extras: JsonObject,
  pointer: string,
  warnings: WarningSink,
): RoutingFacts {
  const visibility = textMember(operation, 'visibility');
  const related = textsOf(objectMember(operation['agent'], 'skill'), 'relatedOperations');
  const said = routingMetadata(extras, below(pointer, 'metadata', 'routing'), warnings);
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
export function inheritedOf(
  root: JsonObject,
  names: readonly string[],
  warnings: WarningSink,
): EndpointFacts {
  const { info, agent } = root;
  const extras = objectMember(objectMember(info, 'metadata'), 'routing') ?? {};
  const [purpose, sensitiveFields] = [textMember(agent, 'purpose'), textsOf(agent, 'sensitiveFields')];
  const routing = {
    semanticNamespace: textMember(info, 'namespace') ?? '',
    ...(purpose !== undefined && { semanticDescription: purpose }),
    ...(sensitiveFields.length > 0 && { sensitiveFields: [...sensitiveFields] }),
    ...routingMetadata(extras, '/info/metadata/routing', warnings),
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
  const capability = group === undefined ? undefined : { group };
  return saidFacts({ routing, safety, tags: [...textsOf(info, 'tags')], capability });
}
