import { setTimeout as delay } from 'node:timers/promises';
import { modelTerms } from '../../../packages/ranking/rank.js';
import type { HttpEmbeddings } from '../../platform/config/embeddings.js';
import { OutboundFault, type Outbound } from '../../platform/network/outbound.js';
import {
  type EmbeddingProfile,
  type EmbeddingProvider,
  modelName,
  ProviderFault,
  TextFault,
  usableVector,
} from './embedding.provider.js';

/** Tries of one call, the first included. */
const tries = 3;
const firstPause = 200;
const MAX_PAUSE = 5_000;
/** Bytes of an answer. */
const MAX_BYTES = 64 * 1024 * 1024;

export function httpProfile(settings: HttpEmbeddings): EmbeddingProfile {
  const { model, documentPrefix, queryPrefix, batch, timeout } = settings;
  const name = modelName(model, { documentPrefix, queryPrefix });
  const lease = Math.ceil((tries * timeout + (tries - 1) * MAX_PAUSE) / 1000) + 2;
  return { model: name, dimension: 384, batch, lease, ...modelTerms };
}

/**
 * Asks an endpoint that speaks OpenAI's `POST /embeddings`. A call has a time limit and is tried again where that may
 * help; where calls keep failing the circuit opens, and search goes on with words alone.
 */
export class HttpProvider implements EmbeddingProvider {
  readonly profile: EmbeddingProfile;
  private readonly circuit: Circuit;

  constructor(
    private readonly settings: HttpEmbeddings,
    private readonly outbound: Outbound,
    clock: () => number = Date.now,
  ) {
    this.profile = httpProfile(settings);
    this.circuit = new Circuit(clock);
  }

  embed(texts: readonly string[], role: 'query' | 'document'): Promise<readonly Float32Array[]> {
    const { queryPrefix, documentPrefix } = this.settings;
    const prefix = role === 'query' ? queryPrefix : documentPrefix;
    const input = texts.map((text) => prefix + text);
    // A prompt is not tried again: its caller waits.
    return this.circuit.run(() => this.patiently(input, role === 'query' ? 1 : tries));
  }

  private async patiently(input: readonly string[], patience: number): Promise<readonly Float32Array[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(input);
      } catch (error) {
        if (!(error instanceof ProviderFault) || !error.passing || attempt >= patience) throw error;
        const pause = error.wait ?? firstPause * 4 ** (attempt - 1);
        // A longer pause is left to the worker.
        if (pause > MAX_PAUSE) throw error;
        await delay(pause);
      }
    }
  }

  private async once(input: readonly string[]): Promise<readonly Float32Array[]> {
    const { url, model, apiKey, timeout } = this.settings;
    const { dimension } = this.profile;
    const endpoint = new URL(`${url.replace(/\/$/, '')}/embeddings`);
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input, dimensions: dimension, encoding_format: 'float' }),
    };
    try {
      const limits = { timeMs: timeout, bytes: MAX_BYTES };
      return await this.outbound.with(endpoint, limits, async (session) => {
        const response = await session.fetch(endpoint, request);
        if (!response.ok) throw refusal(response);
        return vectorsOf(await response.text(), input.length, dimension);
      });
    } catch (error) {
      if (!(error instanceof OutboundFault)) throw error;
      const passing = ['unreachable', 'timeout', 'broken'].includes(error.kind);
      throw new ProviderFault(`The embedding endpoint: ${error.message}`, passing);
    }
  }
}

/** Statuses that refuse a text. */
const refusesTexts: readonly number[] = [400, 413, 422];

function refusal({ status, headers }: Response): ProviderFault {
  const message = `The embedding endpoint answered ${String(status)}.`;
  if (refusesTexts.includes(status)) return new TextFault(message);
  const passing = status === 429 || status >= 500;
  return new ProviderFault(message, passing, waitOf(headers.get('retry-after')));
}

/** Reads Retry-After (RFC 9110, 10.2.3), seconds or a date, as milliseconds. */
function waitOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function vectorsOf(text: string, count: number, dimension: number): Float32Array[] {
  const data = dataOf(text);
  if (data?.length !== count) throw tooFew(count);
  const vectors = new Map<unknown, Float32Array>();
  for (const [place, item] of data.entries()) {
    const { index = place, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    vectors.set(index, usableVector('The embedding endpoint', embedding, dimension));
  }
  return data.map((_, index) => {
    const vector = vectors.get(index);
    if (vector === undefined) throw tooFew(count);
    return vector;
  });
}

const tooFew = (count: number): TextFault =>
  new TextFault(`The embedding endpoint did not give ${String(count)} vectors.`);

function dataOf(text: string): readonly unknown[] | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ProviderFault('The embedding endpoint’s answer is no JSON, or was cut off.', true);
  }
  const data = (answer as { data?: unknown } | null)?.data;
  return Array.isArray(data) ? (data as readonly unknown[]) : undefined;
}

/** Failures in a row after which the circuit opens. */
const bearable = 5;
/** Milliseconds until one call may try again. */
const pause = 30_000;

/** A circuit breaker: while it is open, calls fail at once; one is let through now and then to try. */
class Circuit {
  private failures = 0;
  private closedAgainAt = 0;

  constructor(private readonly clock: () => number) {}

  /** Throws ProviderFault while the circuit is open, and what the call throws. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.failures >= bearable) {
      if (this.clock() < this.closedAgainAt) {
        throw new ProviderFault('The embedding provider keeps failing: it is left alone for a while.', true);
      }
      // Others wait for the outcome of this call.
      this.closedAgainAt = this.clock() + pause;
    }
    try {
      const value = await call();
      this.failures = 0;
      return value;
    } catch (error) {
      // A provider that refuses a text is working.
      this.failures = error instanceof TextFault ? 0 : this.failures + 1;
      if (this.failures >= bearable) this.closedAgainAt = this.clock() + pause;
      throw error;
    }
  }
}
