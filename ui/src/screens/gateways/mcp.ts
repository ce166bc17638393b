import { api, given } from '../../api/client.ts';

type Json = Readonly<Record<string, unknown>>;

/** A tool as a gateway lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json;
}

/** What a call came to: an answer, one that says what went wrong, or a refusal before anything was called. */
export type Outcome =
  | {
      readonly kind: 'answered' | 'failed';
      readonly texts: readonly string[];
      readonly fault: Fault | undefined;
    }
  | { readonly kind: 'refused'; readonly message: string; readonly data: Refusal };

export interface Fault {
  readonly code: string;
  readonly level: string;
}

/** Facts by which the policy of a gateway has refused a call. */
export interface Refusal {
  readonly reason?: string;
  readonly sensitivityTier?: string;
  readonly maxSensitivityTier?: string;
  /** Scopes that would do, where some are missing. */
  readonly scopes?: readonly string[];
}

interface Reply {
  readonly result?: Json;
  readonly error?: { readonly message: string; readonly data?: Refusal };
}

/** One request of MCP to the gateway at this path, by the session of the page. Throws ApiFault where it lets nobody in. */
async function asked(path: string, method: string, params: Json): Promise<Reply> {
  // The address is said by the service: the API's document does not name it.
  const post = api.POST as unknown as (path: string, init: object) => Promise<{ response: Response }>;
  const text: unknown = await given(
    post(path, {
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers: { accept: 'application/json, text/event-stream' },
      parseAs: 'text',
    }),
  );
  return replyIn(String(text));
}

/** The answer comes as JSON, or as the one event of a stream. */
function replyIn(text: string): Reply {
  const data = text.startsWith('{')
    ? text
    : text
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice('data: '.length))
        .at(-1);
  return JSON.parse(data ?? '{}') as Reply;
}

/** The tools that whoever is signed in may call there. */
export async function listedAt(path: string): Promise<readonly ListedTool[]> {
  const { result, error } = await asked(path, 'tools/list', {});
  if (error !== undefined) throw new Error(error.message);
  return (result?.['tools'] ?? []) as readonly ListedTool[];
}

export async function calledAt(path: string, name: string, args: Json): Promise<Outcome> {
  const { result = {}, error } = await asked(path, 'tools/call', { name, arguments: args });
  if (error !== undefined) return { kind: 'refused', message: error.message, data: error.data ?? {} };
  const {
    content = [],
    isError,
    _meta: meta = {},
  } = result as {
    readonly content?: readonly {
      readonly type: string;
      readonly text?: string;
      readonly mimeType?: string;
    }[];
    readonly isError?: boolean;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  return {
    kind: isError === true ? 'failed' : 'answered',
    texts: content.map(({ type, text, mimeType }) => text ?? mimeType ?? type),
    fault: meta['portal-catalog/fault'] as Fault | undefined,
  };
}
