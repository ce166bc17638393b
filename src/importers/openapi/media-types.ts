import type { JsonObject } from '../imported.js';
import { byCodePoint } from '../json-reading.js';

export function isJson(mediaType: string): boolean {
  return /^(application|text)\/([\w.-]+\+)?json\b|^\*\/\*|^application\/\*/i.test(mediaType.trim());
}

export function isForm(mediaType: string): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/)/i.test(mediaType.trim());
}

export function isText(mediaType: string): boolean {
  return /^text\/|^application\/([\w.-]+\+)?(xml|yaml|graphql|javascript|sql)\b|^application\/x-yaml/i.test(
    mediaType.trim(),
  );
}

const preference: readonly ((mediaType: string) => boolean)[] = [
  (mediaType) => /^application\/json\s*(;|$)/i.test(mediaType),
  isJson,
  (mediaType) => /^application\/x-www-form-urlencoded/i.test(mediaType),
  (mediaType) => /^multipart\/form-data/i.test(mediaType),
  isForm,
  (mediaType) => /^text\/plain/i.test(mediaType),
  isText,
];

/** The media type that an agent's arguments fit best: JSON before forms before text before all else. */
export function choose(content: JsonObject): string | undefined {
  const rank = (mediaType: string) => {
    const found = preference.findIndex((test) => test(mediaType));
    return found < 0 ? preference.length : found;
  };
  return Object.keys(content).toSorted((a, b) => rank(a) - rank(b) || byCodePoint(a, b))[0];
}
