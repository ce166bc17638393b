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
 * Finds the pages of a `tools/list` answer in any shape it is pasted in: the result, its JSON-RPC envelope, several of
 * either (as a list or under `pages`), or the bare list of tools. Undefined where it is none of these.
 *
 * @throws UnreadableDocument `mcp_error` where the answer is an error
 */
export function pagesOf(document: Json, pointer = '', wrapping = 0): readonly ToolsPage[] | undefined {
  if (wrapping > MAX_WRAPPING) return undefined;
  if (Array.isArray(document)) {
    const isList = document.some(isTool) && document.every(isObject) && !isMethodList(document);
    return isList ? [{ pointer, tools: document }] : collect(document, pointer, wrapping);
  }
  const tools = member(document, 'tools');
  if (Array.isArray(tools)) {
    const nextCursor = textMember(document, 'nextCursor');
    return [{ pointer: below(pointer, 'tools'), tools, ...(nextCursor !== undefined && { nextCursor }) }];
  }
  refuseError(document, pointer);
  const result = member(document, 'result');
  if (isObject(result)) return pagesOf(result, below(pointer, 'result'), wrapping + 1);
  const pages = member(document, 'pages');
  return Array.isArray(pages) ? collect(pages, below(pointer, 'pages'), wrapping) : undefined;
}

/** Finds `mcp-router.tools` of a gateway's values.yml, its name written with a dot or as two levels. */
export function routerPage(document: Json): ToolsPage | undefined {
  const dotted = member(document, 'mcp-router.tools');
  if (Array.isArray(dotted)) return { pointer: below('', 'mcp-router.tools'), tools: dotted };
  const tools = member(member(document, 'mcp-router'), 'tools');
  return Array.isArray(tools) ? { pointer: below('', 'mcp-router', 'tools'), tools } : undefined;
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

/** Members in which interfaces of models hold a tool, or several. */
export const wrappings = ['function', 'toolSpec', 'functionDeclarations', 'function_declarations'];

/** As a server lists it, or as it was sent to a model. */
function isTool(item: Json): boolean {
  if (wrappings.some((name) => Array.isArray(member(item, name)))) return true;
  const called = wrappings.map((name) => member(item, name)).find(isObject) ?? item;
  const described = ['inputSchema', 'input_schema', 'description'].some(
    (name) => member(called, name) !== undefined,
  );
  return typeof member(called, 'name') === 'string' && described;
}

/** Methods of JSON-RPC say `params`: a description alone would make tools of them. */
function isMethodList(items: readonly Json[]): boolean {
  const says = (name: string): boolean => items.some((item) => member(item, name) !== undefined);
  return says('params') && !says('inputSchema') && !says('input_schema');
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
