import { Inject, Injectable } from '@nestjs/common';
import { Invalid } from '../kernel/errors.js';
import { type Config, CONFIG } from '../platform/config/config.js';
import { Problem } from '../platform/http/problem.js';
import { Outbound, OutboundFault, type OutboundFaultKind } from '../platform/network/outbound.js';

const codes: Readonly<Record<OutboundFaultKind, string>> = {
  refused: 'outbound_refused',
  unreachable: 'document_unreachable',
  timeout: 'document_timeout',
  redirected: 'document_redirected',
  too_large: 'document_answer_too_large',
  broken: 'document_invalid_answer',
};

/** Fetches documents from addresses that callers name, through the guard of all that goes out. */
@Injectable()
export class DocumentFetch {
  private readonly limits;

  constructor(
    private readonly outbound: Outbound,
    @Inject(CONFIG) { gatewayTimeout, uploadLimit }: Pick<Config, 'gatewayTimeout' | 'uploadLimit'>,
  ) {
    // What is fetched is sent back, and shall still fit into the body of an import.
    this.limits = { timeMs: gatewayTimeout, bytes: uploadLimit };
  }

  /**
   * Throws Problem 422, whose code says what went wrong: the address is the caller’s.
   *
   * @param most bytes, where that is less than an import takes
   */
  async bytesAt(url: URL, accept: string, most = Infinity): Promise<Uint8Array> {
    const limits = { ...this.limits, bytes: Math.min(this.limits.bytes, most) };
    try {
      return await this.outbound.with(url, limits, async (session) => {
        const answer = await session.fetch(url, { headers: { accept } });
        if (!answer.ok) throw notServed(url, answer.status);
        return new Uint8Array(await answer.arrayBuffer());
      });
    } catch (error) {
      if (error instanceof OutboundFault) throw new Problem(422, codes[error.kind], error.message);
      throw error;
    }
  }

  /** The same as text. */
  async textAt(
    url: URL,
    accept: string,
    most?: number,
  ): Promise<{ readonly text: string; readonly bytes: number }> {
    const bytes = await this.bytesAt(url, accept, most);
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), bytes: bytes.byteLength };
    } catch {
      const detail = `What ${url.origin} answers is no text in UTF-8. Fetch it yourself and import the file.`;
      throw new Problem(422, 'document_not_text', detail);
    }
  }
}

/** An address to fetch from, as bodies name it. */
export const fetchedAddress = { type: 'string', minLength: 8, maxLength: 2048 } as const;

/** @throws Invalid `invalid_body` where it is no address that is fetched from */
export function addressOf(text: string): URL {
  const url = URL.parse(text);
  const fault =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'is no address that begins with https:// or http://'
      : url.username !== '' || url.password !== ''
        ? 'holds a user or a password: fetch the document yourself and import its text'
        : undefined;
  if (url === null || fault !== undefined)
    throw new Invalid('invalid_body', 'The address can’t be fetched from.', [
      { pointer: '/url', detail: fault ?? '' },
    ]);
  return url;
}

function notServed({ origin }: URL, status: number): Problem {
  const detail = `${origin} answers with the status ${String(status)}. Is the address right, and may anybody read it?`;
  return new Problem(422, 'document_not_served', detail);
}
