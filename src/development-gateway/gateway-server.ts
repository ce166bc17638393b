import { decodeJwt } from 'jose';
import type { Caller } from '../platform/auth/caller.js';
import { scopesOf } from '../platform/auth/claims.js';
import { authorizationOf, type Bearing, type TokenVerifier } from '../platform/auth/token-verifier.js';
import { Problem } from '../platform/http/problem.js';
import {
  blockedBy,
  type CallerIdentity,
  type PolicyReason,
  type RouterTool,
  readRouterConfig,
  versionMeta,
  versionsListed,
} from '../gateways/shared.js';
import type { Log } from '../platform/logging/log.js';
import { lowestTier, type Tier, tierOf } from '../platform/auth/sensitivity-tier.js';
import { type CallToolResult, McpServer, ProtocolError, type Tool } from '@modelcontextprotocol/server';
import type { Arguments } from './call-result.js';
import type { CallTelemetry } from './call-telemetry.js';
import type { ToolCaller } from './tool-caller.js';
import { invalidParams, versionCalled } from './version-called.js';

/** The gateway that is served: its exposure identity (docs/contract.md, section 9). */
export interface GatewayIdentity {
  readonly gatewayId: string;
  readonly hostId: string;
  readonly envTag: string;
}

/** A verified caller with all scopes of its token, since the gateway checks those of APIs. */
export interface GatewayCaller extends Caller {
  readonly granted: readonly string[];
  /** The token itself, for APIs that are to know who calls; it is never logged. */
  readonly token: string;
}

/**
 * Finds the caller of a request; undefined for anonymous ones, where they are allowed. Tokens are those of the
 * catalog's issuer, for the gateway's host and environment; their service is the agent's and not compared. Throws
 * Problem 401, 403.
 */
export async function callerOf(
  request: Bearing,
  { verifier, gateway, anonymous }: { verifier: TokenVerifier; gateway: GatewayIdentity; anonymous: boolean },
): Promise<GatewayCaller | undefined> {
  const authorization = authorizationOf(request);
  if (authorization === undefined && anonymous) return undefined;
  const caller = await verifier.callerOf(request);
  requireCovered(caller, gateway);
  const token = (authorization ?? '').replace(/^bearer +/i, '');
  return { ...caller, granted: scopesOf(decodeJwt(token)), token };
}

/** Throws Problem 403 where the caller is of another host or environment than the gateway. */
export function requireCovered(caller: Caller, { hostId, envTag }: GatewayIdentity): void {
  if (caller.hostId === hostId && caller.environments.includes(envTag)) return;
  throw new Problem(403, 'claim_mismatch', 'The token is for another host or environment than this gateway.');
}

interface Served {
  /** By name, in the catalog's order. */
  readonly tools: ReadonlyMap<string, RouterTool>;
  readonly callerIdentity: CallerIdentity;
}

/** Milliseconds for which a configuration is served without asking the catalog. */
const fresh = 1000;

/** Reads the gateway's configuration from the catalog; while that does not answer, keeps the last one. */
export class ToolSource {
  private served: Served = { tools: new Map(), callerIdentity: { type: 'credential' } };
  private config = '';
  private readAt = -Infinity;

  constructor(
    private readonly readConfig: () => Promise<string>,
    private readonly log: Log,
    private readonly freshMs = fresh,
  ) {}

  /** Loads the configuration. Throws what reading throws. */
  async load(): Promise<Served> {
    const config = await this.readConfig();
    this.readAt = performance.now();
    if (config === this.config) return this.served;
    const { tools, callerIdentity } = readRouterConfig(config);
    this.served = { tools: new Map(tools.map((tool) => [tool.name, tool])), callerIdentity };
    this.config = config;
    return this.served;
  }

  async current(): Promise<Served> {
    if (performance.now() - this.readAt < this.freshMs) return this.served;
    try {
      return await this.load();
    } catch (error) {
      this.readAt = performance.now();
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn({ reason }, 'the catalog can’t be asked; its last answer is served');
      return this.served;
    }
  }
}

/** The part of a caller that policy reads. */
interface PolicyCaller {
  readonly granted: readonly string[];
  readonly maxTier?: Tier;
}

/** A decision with its facts, as gateways report them. */
interface PolicyDecision {
  readonly reason?: PolicyReason | 'insufficient_scope';
  readonly sensitivityTier: Tier;
  readonly maxSensitivityTier: Tier;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly requiresApproval: boolean;
  readonly approvalConfigured: boolean;
  /** Where scopes are missing: what would do. */
  readonly scopes?: readonly string[];
}

/**
 * Decides by tier, destruction and approval, as the catalog does for this gateway, then by the scopes of the token.
 */
function decide(tool: RouterTool, caller: PolicyCaller | undefined): PolicyDecision {
  const { routing, safety, policy } = tool.toolMetadata;
  const { read_only: readOnly, destructive, humanApprovalRequired: requiresApproval } = safety;
  const { approvalWorkflow = '' } = policy;
  const sensitivityTier = tierOf(routing.sensitivityTier);
  const maxSensitivityTier = lowestTier(tierOf(policy.maxSensitivityTier), caller?.maxTier);
  const metadata = { safety: { destructive, humanApprovalRequired: requiresApproval, approvalWorkflow } };
  const blocked = blockedBy({ tier: sensitivityTier, metadata }, maxSensitivityTier);
  const reason = blocked ?? (hasAllScopes(tool, caller?.granted ?? []) ? undefined : 'insufficient_scope');
  return {
    ...(reason === undefined ? {} : { reason }),
    sensitivityTier,
    maxSensitivityTier,
    readOnly,
    destructive,
    requiresApproval,
    approvalConfigured: approvalWorkflow.trim() !== '',
    ...(reason === 'insufficient_scope' && { scopes: scopesOfOneSet(tool) }),
  };
}

/** Whether those of the tool are, and of all endpoints that it may call: which it does, only the arguments say. */
function hasAllScopes(tool: RouterTool, granted: readonly string[]): boolean {
  return guardedOf(tool).every((each) => hasScopes(each, granted));
}

type Scoped = Pick<RouterTool, 'scopes'>;

/** The tool and all endpoints that it may call. */
function guardedOf(tool: RouterTool): readonly Scoped[] {
  const steps = (tool.composite?.alternatives ?? []).flatMap((each) => each.steps);
  return [tool, ...steps.flatMap(({ endpoint }) => endpoint ?? [])];
}

/** Scopes with which it could be called: the first set of each. */
function scopesOfOneSet(tool: RouterTool): readonly string[] {
  const sets = guardedOf(tool).flatMap(({ scopes = [] }) => scopes[0] ?? []);
  return [...new Set(sets.flatMap((each) => each.scopes))];
}

/** Whether all scopes of one set are granted. */
function hasScopes({ scopes = [] }: Scoped, granted: readonly string[]): boolean {
  if (scopes.length === 0) return true;
  return scopes.some((set) => set.every((each) => each.scopes.every((scope) => granted.includes(scope))));
}

/** JSON-RPC code for a tool that policy blocks. */
const policyBlocked = -32004;

/** Makes a server for one request. */
export class GatewayServers {
  constructor(
    private readonly source: ToolSource,
    private readonly toolCaller: ToolCaller,
    private readonly telemetry: CallTelemetry,
    private readonly log: Log,
  ) {}

  /**
   * @param versionAsked what the request's header says ({@link versionHeader})
   */
  serverFor(caller: GatewayCaller | undefined, versionAsked?: string): McpServer {
    const server = new McpServer(
      { name: 'portal-catalog-development-gateway', version: '1.0.0' },
      {
        capabilities: { tools: {} },
        instructions: 'A gateway for development. It lists and calls what the catalog exposes on it.',
        cacheHints: { 'tools/list': { ttlMs: 0, cacheScope: 'private' } },
      },
    );
    server.server.setRequestHandler('tools/list', async () => ({ tools: await this.list(caller) }));
    server.server.setRequestHandler('tools/call', async ({ params }) => {
      const { name, arguments: args = {}, _meta: meta } = params;
      const result = await this.call({ name, version: meta?.[versionMeta] ?? versionAsked }, args, caller);
      return server.server.projectCallToolResult(result, undefined);
    });
    return server;
  }

  /** Lists the tools that this caller may call. */
  private async list(caller: GatewayCaller | undefined): Promise<Tool[]> {
    const tools = [...(await this.source.current()).tools.values()];
    const decided = tools.map((tool) => ({ tool, reason: decide(tool, caller).reason }));
    const blocked = decided.flatMap(({ tool: { name }, reason }) => (reason ? [{ name, reason }] : []));
    if (blocked.length > 0) {
      const auditInfo = {
        toolPolicyDecision: 'filtered',
        toolPolicyBlockedTools: blocked.map(({ name }) => name),
        toolPolicyReasons: Object.fromEntries(blocked.map(({ name, reason }) => [name, reason])),
      };
      this.log.info({ auditInfo }, 'tools left out of the list');
    }
    return decided.flatMap(({ tool, reason }) => (reason ? [] : [definitionOf(tool)]));
  }

  private async call(
    { name, version }: { readonly name: string; readonly version: unknown },
    args: Arguments,
    caller: GatewayCaller | undefined,
  ): Promise<CallToolResult> {
    const { tools, callerIdentity: rule } = await this.source.current();
    const newest = tools.get(name);
    const tool = newest && versionCalled(newest, version);
    if (tool === undefined) throw new ProtocolError(invalidParams, `Unknown tool: ${name.slice(0, 128)}`);
    const decision = decide(tool, caller);
    const audit = auditOf(tool, args, decision);
    if (decision.reason !== undefined) {
      this.log.warn({ auditInfo: { ...audit, toolPolicyDecision: 'blocked' } }, 'tool call blocked');
      const data = { toolName: name, endpoint: tool.endpoint, ...decision };
      throw new ProtocolError(
        policyBlocked,
        `The policy of the gateway blocks ${name}: ${decision.reason}`,
        data,
      );
    }
    return this.telemetry.observed(
      tool,
      { ...audit, toolPolicyDecision: 'allowed', callerIdentity: rule.type },
      () =>
        this.toolCaller.call(tool, args, {
          rule,
          caller: caller && { user: caller.actor.user, token: caller.token },
        }),
    );
  }
}

/** Leaves out the output schema: clients insist on it, and only the service behind the gateway could keep it. */
function definitionOf({
  name,
  description,
  inputSchema,
  versions = [],
  toolMetadata: { safety },
}: RouterTool): Tool {
  const older = versions.map(({ version, inputSchema: own }) => ({ version, inputSchema: own }));
  return {
    name,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: {
      readOnlyHint: safety.read_only,
      destructiveHint: safety.destructive,
      idempotentHint: safety.idempotent,
    },
    ...(older.length > 0 && { _meta: versionsListed(older) as Tool['_meta'] }),
  };
}

/** Facts of a call for the log; of arguments only the names. */
function auditOf(tool: RouterTool, args: Arguments, decision: PolicyDecision): object {
  return {
    toolName: tool.name,
    toolVersion: tool.toolMetadata.lifecycle.version,
    toolEndpoint: tool.endpoint,
    toolArguments: Object.keys(args),
    ...(decision.reason === undefined ? {} : { toolPolicyReason: decision.reason }),
    toolSensitivityTier: decision.sensitivityTier,
    toolMaxSensitivityTier: decision.maxSensitivityTier,
    toolDestructive: decision.destructive,
    toolRequiresApproval: decision.requiresApproval,
    toolApprovalConfigured: decision.approvalConfigured,
  };
}
