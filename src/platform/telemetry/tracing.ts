import { setTimeout as sleep } from 'node:timers/promises';
import { recordSpans } from '../../kernel/spans.js';

/** Milliseconds that a stop waits for a collector which does not answer. */
const STOP_MS = 3_000;

/** Ends the sending of spans: those at hand leave, as far as the collector takes them in time. */
export interface Tracing {
  stop(): Promise<void>;
}

/**
 * Sends spans to a collector, by OTLP over HTTP in JSON, where `OTEL_EXPORTER_OTLP_ENDPOINT` names one; the SDK of OpenTelemetry is
 * loaded only then. It reads the other variables of its specification (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`,
 * `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`, …) by itself. A collector that is down costs nothing but its spans.
 */
export async function startTracing(endpoint: string | undefined): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'portal-catalog' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  recordSpans();
  return {
    async stop() {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}
