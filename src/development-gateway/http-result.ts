import type { CallToolResult } from '@modelcontextprotocol/server';
import { CallFault } from './call-fault.js';
import { isObject } from './parameter-style.js';

/** Characters of a refusal's body that a model is told. */
const longestRefusal = 4000;

/** What an HTTP endpoint answered, as a model is told. Throws CallFault `http_<status>` for what is no success. */
export async function httpResult(answer: Response, address: URL): Promise<CallToolResult> {
  const mediaType = answer.headers.get('content-type') ?? '';
  if (!answer.ok) throw refusal(answer.status, await answer.text());
  if (/[/+]json\b/i.test(mediaType)) return jsonResult(await answer.text());
  if (mediaType === '' || /^text\/|[/+]xml\b/i.test(mediaType))
    return { content: [{ type: 'text', text: await answer.text() }] };
  const blob = Buffer.from(await answer.arrayBuffer()).toString('base64');
  const [mimeType = mediaType] = mediaType.split(';');
  if (mimeType.startsWith('image/')) return { content: [{ type: 'image', data: blob, mimeType }] };
  return { content: [{ type: 'resource', resource: { uri: address.href, mimeType, blob } }] };
}

/** What a model is told of a status that is no success. */
export function refusal(status: number, text: string): CallFault {
  const words = text.slice(0, longestRefusal);
  return new CallFault(`http_${String(status)}`, words === '' ? 'The endpoint refused.' : words);
}

/** The text as it came; an object also as such. */
export function jsonResult(text: string): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? { content, structuredContent: value } : { content };
  } catch {
    return { content };
  }
}
