import { dump, load } from 'js-yaml';
import type { JsonObject } from '../documents/json.js';
import type { ScopeFacts } from '../formats/shared.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { ExposedTool } from './exposed-tools.lookup.js';
import type { LiveVersion } from './live-versions.lookup.js';

/** The gateway that a configuration is for. */
interface RouterGateway {
  readonly envTag: string;
  readonly maxSensitivityTier: Tier;
}

/**
 * The tools as the `mcp-router.tools` part of a gateway's values.yml: what it needs to list, call and guard them,
 * under the names that gateways read. The semantic registry stays in the catalog.
 */
export function routerConfig(tools: readonly ExposedTool[], gateway: RouterGateway): string {
  const entries = tools.map((tool) => entryOf(tool, gateway));
  return dump({ 'mcp-router.tools': entries }, { noRefs: true, lineWidth: -1 });
}

/** The tools of a configuration that {@link routerConfig} wrote. */
export function routerTools(config: string): readonly RouterTool[] {
  return (load(config) as { readonly 'mcp-router.tools': readonly RouterTool[] })['mcp-router.tools'];
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
    apiType: tool.call === null ? tool.apiType : 'graphql',
    inputSchema,
    outputSchema,
    versions: tool.versions.length > 0 ? tool.versions.map(versionOf) : undefined,
    scopes: tool.scopes.length > 0 ? tool.scopes : undefined,
    graphql: operationOf(tool),
    toolMetadata: metadataOf(tool, gateway),
  });
}

/** The newest stands in the entry itself. */
function versionOf({ version, description, inputSchema, outputSchema, call }: LiveVersion): object {
  const graphql = operationOf({ call, graphql: null });
  return present({ version, description, inputSchema, outputSchema, graphql });
}

function operationOf({ graphql, call }: Pick<ExposedTool, 'graphql' | 'call'>): RouterTool['graphql'] {
  if (call !== null) {
    const { operation: document, operationName: field, variables = {}, keepNull } = call;
    return { document, field, variables, ...(keepNull !== undefined && { keepNull }) };
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

/** Where one argument goes in the request (docs/contract.md, section 4). */
export interface ParameterRoute {
  readonly in: string;
  readonly name: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly mediaType?: string;
}

/** The fixed text that a GraphQL operation is. */
export interface RouterOperation {
  /** Its own name, where it has one. */
  readonly operationName?: string;
  readonly document: string;
  /** The member of `data` that is the result; left out where that is all of `data`. */
  readonly field?: string;
  /** How the variables are made of the arguments; left out where these are the variables. */
  readonly variables?: JsonObject;
  /** Parameters whose null is sent; of others it counts as left out. */
  readonly keepNull?: readonly string[];
}

/** What a version has of its own. */
export interface RouterVersion {
  readonly version: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly graphql?: RouterOperation;
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
      readonly auth?: { readonly type: 'bearer'; readonly secret: string };
    };
    readonly lifecycle: { readonly version: string; readonly status: string };
  };
}

/** Members of `_meta` in MCP: which version a call is of, and which versions a listed tool has beside its newest. */
export const versionMeta = 'portal-catalog/version';
export const versionsMeta = 'portal-catalog/versions';

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
