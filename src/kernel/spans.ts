/**
 * Spans of OpenTelemetry around what costs time. Until {@link recordSpans} is called, nothing is made: neither a span nor its name.
 * A span never holds arguments, prompts, tokens, texts or messages of errors, and a host only as a hash.
 */
import { createHash } from 'node:crypto';
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

type Kind = 'server' | 'client' | 'internal';

const kinds: Readonly<Record<Kind, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

const tracer = trace.getTracer('portal-catalog');
let recording = false;

/** From now on spans are made: somebody takes them. */
export function recordSpans(): void {
  recording = true;
}

/** What a span says: the conventional names of OpenTelemetry, where there is one. */
export interface Said {
  readonly name: string;
  readonly kind?: Kind;
  readonly attributes?: Attributes;
}

/** What can be said of a span while the work goes on. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** `type`: a code of few values, never a message. */
  failed(type: string): void;
}

/**
 * Does the work under a span, which ends with it; what it throws marks the span with the code of the error.
 *
 * @param said asked only where spans are made
 * @param carrier headers of W3C Trace Context that the caller sent; what it sent no trace for continues the span under way
 */
export function inSpan<T>(
  said: () => Said,
  work: (span?: OpenSpan) => Promise<T>,
  carrier?: Readonly<Record<string, unknown>>,
): Promise<T> {
  return recording ? spanned(said(), work, carrier) : work();
}

async function spanned<T>(
  { name, kind = 'internal', attributes = {} }: Said,
  work: (span?: OpenSpan) => Promise<T>,
  carrier: Readonly<Record<string, unknown>> | undefined,
): Promise<T> {
  const parent = carrier === undefined ? context.active() : propagation.extract(context.active(), carrier);
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
  return context.with(trace.setSpan(parent, span), async () => {
    try {
      return await work(opened(span));
    } catch (error) {
      opened(span).failed(errorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A span of what ends in another callback: a request of a server. `within` runs what follows as a part of it. */
export interface ServerSpan extends OpenSpan {
  within(work: () => void): void;
  named(name: string): void;
  end(): void;
}

/** Undefined where no spans are made. */
export function serverSpan(name: string, carrier: Readonly<Record<string, unknown>>): ServerSpan | undefined {
  if (!recording) return undefined;
  const parent = propagation.extract(context.active(), carrier);
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
  const inside = trace.setSpan(parent, span);
  return {
    ...opened(span),
    within: (work) => {
      context.with(inside, work);
    },
    named: (name) => void span.updateName(name),
    end: () => {
      span.end();
    },
  };
}

/** Headers by which who is called continues the span under way; empty where there is none. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (recording) propagation.inject(context.active(), headers);
  return headers;
}

/** A host as spans name it: enough to find its spans, not to learn its id. */
export function hostHash(hostId: string): string {
  return createHash('sha256').update(hostId).digest('hex').slice(0, 16);
}

function opened(span: Span): OpenSpan {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    failed: (type) => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', type);
    },
  };
}

/** The code of the error, else its class. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'other';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && code.length <= 64 ? code : error.name;
}
