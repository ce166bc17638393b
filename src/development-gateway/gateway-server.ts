import { McpServer, ProtocolError, type CallToolResult, type Tool } from '@modelcontextprotocol/server';
import type { RouterTool } from '../gateways/mcp-router/router-tool.js';
import type { Log } from '../platform/logging/log.js';
import type { Arguments } from './call-fault.js';
import { decide, type PolicyDecision } from './call-policy.js';
import type { GatewayCaller } from './gateway-access.js';
import type { ToolSource } from './served-tools.js';
import type { ToolCaller } from './tool-caller.js';

/** JSON-RPC codes: of a tool that is not listed, and of one that policy blocks. */
const invalidParams = -32602;
const policyBlocked = -32004;

/** What serves the requests of one caller. */
export class GatewayServers {
  constructor(
    private readonly source: ToolSource,
    private readonly toolCaller: ToolCaller,
    private readonly log: Log,
  ) {}

  serverFor(caller: GatewayCaller | undefined): McpServer {
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
      const result = await this.call(params.name, params.arguments ?? {}, caller);
      return server.server.projectCallToolResult(result, undefined);
    });
    return server;
  }

  /** What this caller can have executed. */
  private async list(caller: GatewayCaller | undefined): Promise<Tool[]> {
    const tools = [...(await this.source.current()).values()];
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
    name: string,
    args: Arguments,
    caller: GatewayCaller | undefined,
  ): Promise<CallToolResult> {
    const tool = (await this.source.current()).get(name);
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
    const result = await this.toolCaller.call(tool, args, caller?.actor);
    const toolResult = result.isError === true ? 'failed' : 'succeeded';
    this.log.info({ auditInfo: { ...audit, toolPolicyDecision: 'allowed', toolResult } }, 'tool called');
    return result;
  }
}

/** An output schema would be a promise that only the service behind the gateway can keep: clients insist on it. */
function definitionOf({ name, description, inputSchema, toolMetadata: { safety } }: RouterTool): Tool {
  return {
    name,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: {
      readOnlyHint: safety.read_only,
      destructiveHint: safety.destructive,
      idempotentHint: safety.idempotent,
    },
  };
}

/** What a log tells of a call. Of arguments the names: their values are the caller's affair. */
function auditOf(tool: RouterTool, args: Arguments, decision: PolicyDecision): object {
  return {
    toolName: tool.name,
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
