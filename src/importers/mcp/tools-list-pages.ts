import { UnreadableDocument } from '../../documents/findings.js';
import { below, isObject, member, textMember, type Json } from '../../documents/json.js';

/** One list of tools and where it stands in the document. */
export interface ToolsPage {
  readonly pointer: string;
  readonly tools: readonly Json[];
  readonly nextCursor?: string;
}

/** Answers wrapped in one another no deeper than this: a list of JSON-RPC answers with results. */
const MAX_WRAPPING = 4;

/**
 * The pages of a `tools/list` answer in any shape it is pasted in: the result, its JSON-RPC envelope, several of
 * either (as a list or under `pages`), or the bare list of tools. Undefined where it is none of these.
 *
 * @throws UnreadableDocument `mcp_error` where the answer is an error
 */
export function pagesOf(document: Json, pointer = '', wrapping = 0): readonly ToolsPage[] | undefined {
  if (wrapping > MAX_WRAPPING) return undefined;
  if (Array.isArray(document)) {
    if (document.some(isTool) && document.every(isObject)) return [{ pointer, tools: document }];
    return collect(document, pointer, wrapping);
  }
  const tools = member(document, 'tools');
  if (Array.isArray(tools)) {
    const nextCursor = textMember(document, 'nextCursor');
    return [{ pointer: below(pointer, 'tools'), tools, ...(nextCursor === undefined ? {} : { nextCursor }) }];
  }
  refuseError(document, pointer);
  const result = member(document, 'result');
  if (isObject(result)) return pagesOf(result, below(pointer, 'result'), wrapping + 1);
  const pages = member(document, 'pages');
  return Array.isArray(pages) ? collect(pages, below(pointer, 'pages'), wrapping) : undefined;
}

export function isToolsList(document: Json): boolean {
  return pagesOf(document) !== undefined;
}

function collect(
  items: readonly Json[],
  pointer: string,
  wrapping: number,
): readonly ToolsPage[] | undefined {
  if (items.length === 0) return undefined;
  const pages = items.map((item, index) => pagesOf(item, below(pointer, index), wrapping + 1));
  return pages.includes(undefined) ? undefined : pages.flatMap((page) => page ?? []);
}

function isTool(item: Json): boolean {
  const described = member(item, 'inputSchema') !== undefined || member(item, 'description') !== undefined;
  return typeof member(item, 'name') === 'string' && described;
}

function refuseError(document: Json, pointer: string): void {
  const error = member(document, 'error');
  if (member(document, 'jsonrpc') === undefined || !isObject(error)) return;
  throw new UnreadableDocument(
    'mcp_error',
    `The server answered tools/list with an error: ${textMember(error, 'message') ?? 'no message'}. Ask it again and send its result.`,
    below(pointer, 'error'),
  );
}
