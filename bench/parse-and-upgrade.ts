import { upgrade } from '@scalar/openapi-upgrader';

/** What nobody can save: the text parsed, and brought to OpenAPI 3.1 as a whole. */
export function parseAndUpgrade(document: Buffer): void {
  upgrade(JSON.parse(document.toString()) as Record<string, unknown>, '3.1');
}
