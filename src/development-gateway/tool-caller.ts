import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isObject } from '../documents/json.js';
import type { RouterTool } from '../gateways/shared.js';
import {
  OutboundFault,
  type Outbound,
  type OutboundLimits,
  type OutboundSession,
} from '../platform/network/outbound.js';
import { type SecretStore, SecretUnavailable } from '../platform/network/secret-store.js';
import { type Arguments, CallFault, graphqlBody, graphqlData, httpResult } from './call-result.js';
import { httpRequest } from './http-request.js';
import { BoundedAjv, type Check } from '../platform/validation/validator.js';
import { faultsOf } from '../platform/validation/faults.js';

/** Limits of one call. */
const limits: OutboundLimits = { timeMs: 30_000, bytes: 4 * 1024 * 1024 };

/** The name of the caller. */
interface CallerName {
  readonly user: string;
}

interface Target {
  readonly url: URL;
  readonly session: OutboundSession;
  readonly headers: Readonly<Record<string, string>>;
}

/** Carries out calls that policy allows, through the outbound guard, with credentials from the secret store. */
export class ToolCaller {
  constructor(
    private readonly hostId: string,
    private readonly outbound: Outbound,
    private readonly secrets: SecretStore,
  ) {}

  /** Calls a tool; a failure becomes a result that a model can learn from. */
  async call(tool: RouterTool, args: Arguments, caller: CallerName | undefined): Promise<CallToolResult> {
    let opened: OutboundSession | undefined;
    try {
      const faults = isImplementation(tool) ? [] : faultsOfArguments(tool, args);
      if (faults.length > 0) throw new CallFault('invalid_arguments', faults.join('; '));
      if (tool.apiType === 'graphql' && caller === undefined)
        throw new CallFault('no_caller', 'A GraphQL operation is carried out for somebody: send a token.');
      const url = targetOf(tool);
      const headers = await this.credentials(tool, url);
      return await this.outbound.with(url, limits, (session) => {
        opened = session;
        return carryOut(tool, args, { url, session, headers });
      });
    } catch (error) {
      const { code, message } = callFault(error, opened?.fault);
      return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }] };
    }
  }

  private async credentials({ toolMetadata }: RouterTool, { origin }: URL): Promise<Record<string, string>> {
    const { auth } = toolMetadata.runtime ?? {};
    if (auth === undefined) return {};
    return { authorization: `Bearer ${await this.secrets.valueFor(this.hostId, auth.secret, origin)}` };
  }
}

function targetOf({ name, targetHost }: RouterTool): URL {
  if (targetHost !== undefined) return new URL(targetHost);
  throw new CallFault(
    'no_target',
    `The gateway does not know where ${name} is called: expose it with a targetHost.`,
  );
}

/** Whether a tool has no endpoint: a program that follows its spec carries it out, fills in its defaults and checks its arguments. */
const isImplementation = ({ apiType, method }: RouterTool): boolean =>
  apiType === undefined && method === 'call';

function carryOut(tool: RouterTool, args: Arguments, target: Target): Promise<CallToolResult> {
  if (isImplementation(tool)) return implementation(tool, args, target);
  if (tool.apiType === 'graphql') return graphql(tool, args, target);
  if (tool.method !== 'call') return http(tool, args, target);
  if (tool.apiType === 'mcp') return mcpResult(tool, args, { ...target, timeout: limits.timeMs });
  const protocol = tool.apiType ?? 'this kind of tool';
  throw new CallFault('protocol_not_supported', `The development gateway does not call ${protocol}.`);
}

async function http(
  tool: RouterTool,
  args: Arguments,
  { url, session, headers }: Target,
): Promise<CallToolResult> {
  const request = await httpRequest(tool, url, args);
  const answer = await session.fetch(request.url, {
    method: request.method,
    headers: { ...request.headers, ...headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  return httpResult(answer, request.url);
}

async function implementation(
  { name, toolMetadata }: RouterTool,
  args: Arguments,
  { url, session, headers }: Target,
): Promise<CallToolResult> {
  const { version } = toolMetadata.lifecycle;
  const address = new URL(url);
  address.pathname = `${url.pathname.replace(/\/$/, '')}/${name}/${encodeURIComponent(version)}`;
  const answer = await session.fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(args),
  });
  return httpResult(answer, address);
}

async function graphql(
  tool: RouterTool,
  args: Arguments,
  { url, session, headers }: Target,
): Promise<CallToolResult> {
  const answer = await session.fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(graphqlBody(tool, args)),
  });
  const data = graphqlData(tool, { status: answer.status, text: await answer.text() });
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(data) }];
  return isObject(data) ? { content, structuredContent: data } : { content };
}

/** Finds the fault; the connection's own comes before that of a library which wraps it. */
function callFault(error: unknown, outbound: OutboundFault | undefined): CallFault {
  if (error instanceof CallFault) return error;
  const fault = error instanceof OutboundFault ? error : outbound;
  if (fault !== undefined) return new CallFault(`downstream_${fault.kind}`, fault.message);
  if (error instanceof SecretUnavailable) return new CallFault('credential_unavailable', error.message);
  if (error instanceof URIError) return new CallFault('invalid_arguments', 'A text is no valid Unicode.');
  if (error instanceof UnauthorizedError)
    return new CallFault(
      'downstream_unauthorized',
      'The server behind it does not accept the gateway’s credential.',
    );
  return new CallFault('downstream_broken', 'The server behind it does not speak its protocol.');
}

/** Fills in no defaults, which are the service's, and does not check formats. */
const options = { strict: false, validateFormats: false } as const;
const compiled = new WeakMap<object, Check>();

/** Checks arguments against the input schema. */
function faultsOfArguments({ inputSchema }: RouterTool, args: Arguments): readonly string[] {
  const check = compiled.get(inputSchema) ?? new BoundedAjv(options).compile(inputSchema);
  compiled.set(inputSchema, check);
  return faultsOf(check(args))
    .slice(0, 20)
    .map(({ pointer, detail }) => `${pointer || '/'} ${detail}`);
}

interface Downstream {
  readonly url: URL;
  readonly session: OutboundSession;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Calls the tool of a downstream MCP server of any revision. */
async function mcpResult(
  { endpoint }: RouterTool,
  args: Arguments,
  { url, session, headers, timeout }: Downstream,
): Promise<CallToolResult> {
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: session.fetch,
    requestInit: { headers },
  });
  const client = new Client(
    { name: 'portal-catalog-development-gateway', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  try {
    await client.connect(transport, { timeout });
    const called = { name: endpoint.replace(/@call$/, ''), arguments: { ...args } };
    const { content, structuredContent, isError } = await client.callTool(called, { timeout });
    await transport.terminateSession().catch(() => undefined);
    return {
      content,
      ...(structuredContent === undefined ? {} : { structuredContent }),
      ...(isError === true ? { isError } : {}),
    };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new CallFault(
      'downstream_error',
      `The server behind it refuses with ${String(error.code)}: ${error.message}`,
    );
  } finally {
    await client.close().catch(() => undefined);
  }
}
