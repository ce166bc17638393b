/** What the development gateway makes of a call, without the network: the request as it would be sent, or why it is none. */
import { Response } from 'undici';
import { argumentFaults } from '../../src/development-gateway/argument-check.js';
import { CallFault } from '../../src/development-gateway/call-result.js';
import { requestEndpoint } from '../../src/development-gateway/endpoint-request.js';
import type { Target } from '../../src/development-gateway/target.js';
import type { FlatEndpoint } from '../flat-endpoints.js';

export interface RecordedRequest {
  readonly method: string;
  /** From the path of the API on, with the query. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Where the API is; its path stands before those of the document. */
const base = 'https://api.invalid/base';

/** Makes the call. Gives a text where the gateway refuses it: the code and the reason. */
export async function recordedCall(
  endpoint: FlatEndpoint,
  args: Arguments,
): Promise<RecordedRequest | string> {
  const requests: RecordedRequest[] = [];
  const fetch = ((
    url: URL,
    init: { method: string; headers: Record<string, string>; body?: string | Uint8Array },
  ) => {
    const { method, headers, body = '' } = init;
    const address = url.href.slice(base.length);
    requests.push({ method, address, headers, body: Buffer.from(body as Uint8Array) });
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }));
  }) as unknown as Target['session']['fetch'];
  try {
    const faults = argumentFaults(endpoint.inputSchema, args);
    if (faults.length > 0) return `invalid_arguments: ${faults.join('; ')}`;
    await requestEndpoint(endpoint, args, {
      url: new URL(base),
      session: { fetch },
      headers: {},
      timeout: 1,
    });
  } catch (error) {
    if (!(error instanceof CallFault)) throw error;
    return `${error.code}: ${error.message}`;
  }
  return requests[0] ?? 'nothing was sent';
}
