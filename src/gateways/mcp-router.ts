import { dump, load } from 'js-yaml';
import type { ScopeFacts } from '../formats/shared.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { CallerIdentity } from './caller-identity.rules.js';
import type { ExposedTool } from './exposed-tools.lookup.js';
import type { LiveVersion } from './live-versions.lookup.js';
import {
  type ParameterRoute,
  type RouterComposite,
  routerComposite,
  type RouterOperation,
  writtenOperationOf,
} from './router-calls.js';

/** The gateway that a configuration is for. */
interface RouterGateway {
  readonly envTag: string;
  readonly maxSensitivityTier: Tier;
  readonly callerIdentity: CallerIdentity;
}

/**
 * The tools as the `mcp-router.tools` part of a gateway's values.yml: what it needs to list, call and guard them,
 * under the names that gateways read. The semantic registry stays in the catalog.
 */
export function routerConfig(tools: readonly ExposedTool[], gateway: RouterGateway): string {
  const entries = tools.map((tool) => entryOf(tool, gateway));
  const { callerIdentity } = gateway;
  const identity =
    callerIdentity.type === 'credential' ? {} : { 'mcp-router.callerIdentity': callerIdentity };
  return dump({ ...identity, 'mcp-router.tools': entries }, { noRefs: true, lineWidth: -1 });
}

/** Reads a configuration that {@link routerConfig} wrote. */
export function readRouterConfig(config: string): RouterConfig {
  const { 'mcp-router.tools': tools, 'mcp-router.callerIdentity': callerIdentity = { type: 'credential' } } =
    load(config) as {
      readonly 'mcp-router.tools': readonly RouterTool[];
      readonly 'mcp-router.callerIdentity'?: CallerIdentity;
    };
  return { tools, callerIdentity };
}

interface RouterConfig {
  readonly tools: readonly RouterTool[];
  readonly callerIdentity: CallerIdentity;
}

function entryOf(tool: ExposedTool, gateway: RouterGateway): object {
  const { name, description, serviceId, endpointId, endpointName, targetHost, inputSchema, outputSchema } =
    tool;
  return present({
    name,
    endpointName,
    description,
    protocol: tool.protocol ?? schemeOf(targetHost),
    serviceId,
    envTag: tool.envTag ?? gateway.envTag,
    targetHost,
    path: tool.path ?? name,
    method: tool.method ?? 'call',
    endpoint: tool.endpoint ?? `${name}@call`,
    endpointId,
    apiType: tool.call === null ? tool.apiType : apiTypeOf(tool.call),
    inputSchema,
    outputSchema,
    versions: tool.versions.length > 0 ? tool.versions.map((version) => versionOf(version, tool)) : undefined,
    scopes: tool.scopes.length > 0 ? tool.scopes : undefined,
    graphql: operationOf(tool),
    composite: compositeOf(tool.call, tool),
    toolMetadata: metadataOf(tool, gateway),
  });
}

/** Of what a spec says: an operation of GraphQL, or one of several over APIs of any kind. */
const apiTypeOf = (call: NonNullable<ExposedTool['call']>): string =>
  'alternatives' in call ? 'composite' : 'graphql';

/** The newest stands in the entry itself. */
function versionOf(
  { version, description, inputSchema, outputSchema, call }: LiveVersion,
  tool: ExposedTool,
): object {
  const graphql = operationOf({ call, graphql: null });
  const composite = compositeOf(call, tool);
  return present({ version, description, inputSchema, outputSchema, graphql, composite });
}

function compositeOf(call: ExposedTool['call'], { reached }: ExposedTool): RouterComposite | undefined {
  return call !== null && 'alternatives' in call ? routerComposite(call, reached) : undefined;
}

function operationOf({ graphql, call }: Pick<ExposedTool, 'graphql' | 'call'>): RouterTool['graphql'] {
  if (call !== null) {
    return 'alternatives' in call ? undefined : writtenOperationOf(call);
  }
  if (graphql === null) return undefined;
  const { operationName, document } = graphql;
  return { operationName, document };
}

function metadataOf(tool: ExposedTool, { maxSensitivityTier }: RouterGateway): object {
  const { tier, runtime, version, lifecycleStatus, metadata } = tool;
  const { routing = {}, safety = {} } = metadata;
  const { parameters = {} } = routing;
  const { readOnly, idempotent, destructive, humanApprovalRequired, approvalWorkflow } = safety;
  return present({
    routing: { sensitivityTier: tier, parameters },
    safety: {
      read_only: readOnly === true,
      idempotent: idempotent === true,
      destructive: destructive === true,
      humanApprovalRequired: humanApprovalRequired === true,
    },
    policy: present({ maxSensitivityTier, approvalWorkflow }),
    runtime: Object.keys(runtime).length > 0 ? runtime : undefined,
    lifecycle: { version, status: lifecycleStatus },
  });
}

/** The scheme by which a tool is called, unless the exposure names one. */
function schemeOf(targetHost: string | null): string {
  return targetHost === null ? 'https' : new URL(targetHost).protocol.slice(0, -1);
}

function present(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
}

/** What a version has of its own. */
export interface RouterVersion {
  readonly version: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly graphql?: RouterOperation;
  readonly composite?: RouterComposite;
}

/** The name of a secret. */
export interface RouterCredential {
  readonly type: 'bearer';
  readonly secret: string;
}

export interface RouterTarget {
  /** Its apiId, or apiId@version. */
  readonly api: string;
  readonly targetHost: string;
  readonly auth?: RouterCredential;
}

/** An entry of `mcp-router.tools`: what a gateway needs to list, call and guard one tool (docs/contract.md, section 9). */
export interface RouterTool {
  readonly name: string;
  readonly endpointName?: string;
  readonly description: string;
  /** Scheme that the downstream service is called over. */
  readonly protocol: string;
  readonly serviceId?: string;
  readonly envTag: string;
  readonly targetHost?: string;
  /** Templated path; for `call` the name that is called. */
  readonly path: string;
  /** Lower-case HTTP method, or `call`. */
  readonly method: string;
  readonly endpoint: string;
  readonly endpointId?: string;
  readonly apiType?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Versions beside the newest, which the entry is of, that skills keep to: newest first. */
  readonly versions?: readonly RouterVersion[];
  /** A caller needs all scopes of one of the sets. */
  readonly scopes?: readonly (readonly ScopeFacts[])[];
  readonly graphql?: RouterOperation;
  readonly composite?: RouterComposite;
  readonly toolMetadata: {
    readonly routing: {
      readonly sensitivityTier: string;
      readonly parameters: Readonly<Record<string, ParameterRoute>>;
    };
    readonly safety: {
      readonly read_only: boolean;
      readonly idempotent: boolean;
      readonly destructive: boolean;
      readonly humanApprovalRequired: boolean;
    };
    readonly policy: { readonly maxSensitivityTier: string; readonly approvalWorkflow?: string };
    readonly runtime?: {
      /** How to authenticate downstream: the name of a secret. */
      readonly auth?: RouterCredential;
      /** Where steps of a composite go, by API: all that it calls, where it calls several. */
      readonly targets?: readonly RouterTarget[];
    };
    readonly lifecycle: { readonly version: string; readonly status: string };
  };
}

/** Members of `_meta` in MCP: which version a call is of, and which versions a listed tool has beside its newest. */
export const versionMeta = 'portal-catalog/version';
export const versionsMeta = 'portal-catalog/versions';
/** Member of `_meta` of a result that is an error: its code, and the level at which the call failed. */
export const faultMeta = 'portal-catalog/fault';

/** The header that names the version for clients which set no `_meta`; that comes first. */
export const versionHeader = 'portal-catalog-version';

/** What a gateway says of the versions that it serves beside the newest of a tool. */
export function versionsListed(
  versions: readonly {
    readonly version: string;
    readonly inputSchema: Readonly<Record<string, unknown>>;
    readonly outputSchema?: Readonly<Record<string, unknown>> | null;
  }[],
): object {
  return {
    [versionsMeta]: versions.map(({ version, inputSchema, outputSchema }) => ({
      ...{ version, inputSchema },
      ...(outputSchema != null && { outputSchema }),
    })),
  };
}
