import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Arguments, asRouted, httpAnswer } from './call-result.js';
import { httpRequest } from './http-request.js';
import type { Requested } from './placed-argument.js';
import type { Target } from './target.js';

/** Calls an endpoint of HTTP; the value of the answer is there where it is JSON. Throws CallFault, and what the session throws. */
export async function requestEndpoint(
  endpoint: Requested,
  args: Arguments,
  { url, session, headers }: Target,
): Promise<{ readonly result: CallToolResult; readonly value?: unknown }> {
  const request = httpRequest(endpoint, url, asRouted(endpoint.parameters, args));
  const answer = await session.fetch(request.url, {
    method: request.method,
    headers: { ...request.headers, ...headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  return httpAnswer(answer, request.url);
}
