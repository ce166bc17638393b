import { byCodePoint, member, type Json, type JsonObject } from '../../documents/json.js';

export function isJson(mediaType: string): boolean {
  return /^(application|text)\/([\w.-]+\+)?json\b|^\*\/\*|^application\/\*/i.test(mediaType.trim());
}

/** A stream: JSON Lines, by whatever name. */
export function isJsonLines(mediaType: string): boolean {
  return /^application\/(x-)?(jsonl|jsonlines|json-lines|ndjson)\b/i.test(mediaType.trim());
}

export function isForm(mediaType: string): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType.trim());
}

export function isText(mediaType: string): boolean {
  return /^text\/|^application\/([\w.-]+\+)?(xml|yaml|graphql|javascript|sql)\b|^application\/x-yaml/i.test(
    mediaType.trim(),
  );
}

const structured: readonly ((mediaType: string) => boolean)[] = [
  (mediaType) => /^application\/json\s*(;|$)/i.test(mediaType),
  isJson,
  (mediaType) => /^application\/x-www-form-urlencoded/i.test(mediaType),
  (mediaType) => /^multipart\/form-data/i.test(mediaType),
  isForm,
];
const texts: readonly ((mediaType: string) => boolean)[] = [
  (mediaType) => /^text\/plain/i.test(mediaType),
  isText,
];

/**
 * The media type that an agent's arguments fit best: JSON before forms before text before all else. JSON and forms that
 * have no schema (an example at most) come after those that have one.
 */
export function choose(content: JsonObject): string | undefined {
  const rank = (mediaType: string) => {
    const found = structured.findIndex((test) => test(mediaType));
    if (found >= 0) return isDescribed(content[mediaType]) ? found : structured.length + found;
    const text = texts.findIndex((test) => test(mediaType));
    return 2 * structured.length + (text < 0 ? texts.length : text);
  };
  return Object.keys(content).toSorted((a, b) => rank(a) - rank(b) || byCodePoint(a, b))[0];
}

const isDescribed = (media: Json | undefined): boolean =>
  ['schema', 'itemSchema', '$ref'].some((name) => member(media, name) !== undefined);
