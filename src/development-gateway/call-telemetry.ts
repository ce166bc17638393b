import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { RouterTool } from '../gateways/shared.js';
import type { Log } from '../platform/logging/log.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import type { Called } from './tool-caller.js';

/** What is told of an execution; never what was sent or answered. */
interface Execution {
  readonly tool: string;
  readonly version: string;
  /** The field of a GraphQL operation, or the endpoint. */
  readonly operation: string;
  readonly cost?: number;
  /** Of a tool over several operations: those that were sent, in their order. */
  readonly steps?: readonly string[];
  readonly outcome: 'succeeded' | 'failed';
  /** Where it failed, `tool` where the tool behind it says so itself; none where it succeeded. */
  readonly level: string;
  readonly code?: string;
  readonly durationMs: number;
}

/** Tells of each execution of a tool: one line of the log, one span, and the figures. */
export class CallTelemetry {
  private readonly calls;
  private readonly duration;
  // Without an SDK of OpenTelemetry in the process, spans are made by nobody.
  private readonly tracer = trace.getTracer('portal-catalog-development-gateway');

  constructor(
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.calls = metrics.counter(
      'gateway_tool_calls_total',
      'Executions of tools, by the level that failed.',
      ['outcome', 'level'],
    );
    this.duration = metrics.histogram('gateway_tool_call_duration_seconds', 'Time of an execution.', [
      'outcome',
    ]);
  }

  /**
   * Carries a call out under a span.
   *
   * @param audit what else the line says, under `auditInfo`
   */
  async observed(tool: RouterTool, audit: object, call: () => Promise<Called>): Promise<CallToolResult> {
    const start = performance.now();
    return this.tracer.startActiveSpan(
      `execute_tool ${tool.name}`,
      { kind: SpanKind.CLIENT },
      async (span) => {
        try {
          const called = await call();
          this.tell(executionOf(tool, called, Math.round(performance.now() - start)), audit, span);
          return called.result;
        } finally {
          span.end();
        }
      },
    );
  }

  private tell(execution: Execution, audit: object, span: Span): void {
    const { outcome, level, durationMs } = execution;
    this.calls.inc({ outcome, level });
    this.duration.observe({ outcome }, durationMs / 1000);
    span.setAttributes(attributesOf(execution));
    if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
    this.log.info({ auditInfo: { ...audit, toolResult: outcome }, execution }, 'tool called');
  }
}

function executionOf(tool: RouterTool, { result, fault, carriedOut }: Called, durationMs: number): Execution {
  const { name, endpoint, graphql, toolMetadata } = tool;
  const failed = result.isError === true;
  const cost = carriedOut === undefined ? graphql?.cost : carriedOut.cost;
  return {
    tool: name,
    version: toolMetadata.lifecycle.version,
    operation: carriedOut?.operation ?? graphql?.field ?? graphql?.operationName ?? endpoint,
    ...(cost !== undefined && { cost }),
    ...(carriedOut !== undefined && { steps: carriedOut.steps }),
    outcome: failed ? 'failed' : 'succeeded',
    level: fault?.level ?? (failed ? 'tool' : 'none'),
    ...(fault !== undefined && { code: fault.code }),
    durationMs,
  };
}

/** By the names of the semantic conventions, where they have one. */
function attributesOf({
  tool,
  version,
  operation,
  cost,
  steps,
  outcome,
  level,
  code,
}: Execution): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'portal_catalog.tool.version': version,
    'portal_catalog.operation': operation,
    'portal_catalog.outcome': outcome,
    'portal_catalog.level': level,
    ...(cost !== undefined && { 'portal_catalog.operation.cost': cost }),
    ...(steps !== undefined && { 'portal_catalog.operation.steps': [...steps] }),
    ...(code !== undefined && { 'error.type': code }),
  };
}
