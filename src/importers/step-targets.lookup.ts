import { below } from '../documents/json.js';
import { asOffered, type EndpointRecord, endpointsByKey } from '../endpoints/public.js';
import type { Fault } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import {
  type CheckedComposite,
  type CompositeCall,
  endpointName,
  type EndpointShape,
  keptCall,
  type KeptComposite,
  type KeptStep,
} from '../registry/shared.js';
import type { CheckedOperation } from '../tools/public.js';
import { shapeOf } from './step-facts.lookup.js';
import { schemaOf, type StoredSchema, versionCalled } from './called-apis.lookup.js';

/** What the steps of a composite call, as the catalog has it. */
export interface StepTargets {
  /** By the name of the API, as the steps write it. */
  readonly schemas: ReadonlyMap<string, StoredSchema>;
  /** By {@link endpointName}. */
  readonly endpoints: ReadonlyMap<string, CalledEndpoint>;
  readonly faults: readonly Fault[];
}

interface CalledEndpoint {
  readonly endpointId: string;
  readonly apiVersionId: string;
  readonly shape: EndpointShape;
}

type Step = CompositeCall['alternatives'][number]['steps'][number];

function placed({
  alternatives,
}: CompositeCall): readonly { readonly step: Step; readonly pointer: string }[] {
  return alternatives.flatMap(({ steps }, place) =>
    steps.map((step, index) => ({ step, pointer: below('/composite/alternatives', place, 'steps', index) })),
  );
}

/** Finds the schemas and endpoints that the steps name, among what the token covers. */
export async function stepTargets(
  sql: Sql,
  visibility: Visibility,
  composite: CompositeCall,
): Promise<StepTargets> {
  const schemas = new Map<string, StoredSchema>();
  const endpoints = new Map<string, CalledEndpoint>();
  const faults: Fault[] = [];
  for (const { step, pointer } of placed(composite)) {
    const { graphql, endpoint } = step;
    if (graphql !== undefined && !schemas.has(graphql.api)) {
      const found = await schemaOf(sql, visibility, graphql.api);
      if (typeof found === 'string')
        faults.push({ pointer: below(pointer, 'graphql', 'api'), detail: found });
      else schemas.set(graphql.api, found);
    }
    if (endpoint === undefined || endpoints.has(endpointName(endpoint.api, endpoint.endpoint))) continue;
    const found = await endpointCalled(sql, visibility, endpoint);
    if ('detail' in found) faults.push({ ...found, pointer: below(pointer, 'endpoint') + found.pointer });
    else endpoints.set(endpointName(endpoint.api, endpoint.endpoint), found);
  }
  return { schemas, endpoints, faults };
}

async function endpointCalled(
  sql: Sql,
  visibility: Visibility,
  { api, endpoint: key }: NonNullable<Step['endpoint']>,
): Promise<CalledEndpoint | Fault> {
  const version = await versionCalled(sql, visibility, api, 'http');
  if (typeof version === 'string') return { pointer: '/api', detail: version };
  const [known] = await offered(sql, visibility, version.apiVersionId, [key]);
  if (known === undefined)
    return { pointer: '/endpoint', detail: `names no endpoint of ${api} that is active` };
  const { endpointId, apiVersionId, facts } = known;
  if (facts.method === 'call')
    return { pointer: '/endpoint', detail: 'is called by another protocol than HTTP' };
  return { endpointId, apiVersionId, shape: shapeOf(known) };
}

/** Those of an API version that are offered. */
async function offered(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
  keys: readonly string[],
): Promise<readonly EndpointRecord[]> {
  const known = await endpointsByKey(sql, visibility, apiVersionId, keys);
  return (await asOffered(sql, visibility.hostId, known)).filter(({ active }) => active);
}

type Checked = CheckedComposite['steps'][number][number];

/**
 * The composite as it is kept: with the ids of what it calls. Each field at the root of an operation is an endpoint of the catalog, by
 * which it is guarded; a fault where there is none that is active.
 */
export async function keptSteps(
  sql: Sql,
  visibility: Visibility,
  { by, alternatives }: CompositeCall,
  { targets, steps: checked }: { readonly targets: StepTargets; readonly steps: CheckedComposite['steps'] },
): Promise<CheckedOperation<KeptComposite>> {
  const faults: Fault[] = [];
  const kept: { when: string; steps: KeptStep[] }[] = [];
  for (const [place, { when, steps }] of alternatives.entries()) {
    const own: KeptStep[] = [];
    for (const [index, step] of steps.entries()) {
      const found = checked[place]?.[index];
      if (found === undefined) continue;
      const missing = await missingRoots(sql, visibility, step, { targets, found });
      if (missing.length > 0) {
        const pointer = below('/composite/alternatives', place, 'steps', index, 'graphql', 'operation');
        faults.push({ pointer, detail: `${missing.join(', ')} is no endpoint that is here and active` });
      }
      own.push(keptStep(step, targets, found));
    }
    kept.push({ when, steps: own });
  }
  return faults.length > 0 ? { faults } : { faults, call: { by, alternatives: kept } };
}

/** The fields at the root of an operation that are no endpoints of the catalog. */
async function missingRoots(
  sql: Sql,
  visibility: Visibility,
  { graphql }: Step,
  { targets, found }: { readonly targets: StepTargets; readonly found: Checked },
): Promise<readonly string[]> {
  const version = graphql && targets.schemas.get(graphql.api);
  if (version === undefined) return [];
  const known = await offered(sql, visibility, version.apiVersionId, found.roots);
  return found.roots.filter((root) => !known.some(({ endpoint }) => endpoint === root));
}

function keptStep(
  { id, needs, graphql, endpoint }: Step,
  { schemas, endpoints }: StepTargets,
  { changes, cost }: Checked,
): KeptStep {
  const target = endpoint && endpoints.get(endpointName(endpoint.api, endpoint.endpoint));
  const version = graphql && schemas.get(graphql.api);
  const call =
    version && keptCall(graphql, { apiVersionId: version.apiVersionId, ...(cost !== undefined && { cost }) });
  return {
    ...{ id, changes },
    ...(needs !== undefined && { needs }),
    ...(call !== undefined && { graphql: call }),
    ...(endpoint !== undefined &&
      target !== undefined && {
        endpoint: { ...endpoint, endpointId: target.endpointId, apiVersionId: target.apiVersionId },
      }),
  };
}
