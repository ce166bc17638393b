/** How what is shown is named by the standards: by the domain that it is found at. Pure. */

/** `com.example.catalog/accounts` (server.json, `name`). */
export function serverName(origin: string, name: string): string {
  const labels = new URL(origin).hostname.split('.');
  return `${labels.reverse().join('.')}/${name}`;
}

/** `urn:air:catalog.example.com:skill:refunds` (ARD v0.91, Appendix C). */
export function urn(origin: string, namespace: 'agent' | 'mcp' | 'skill', name: string): string {
  return `urn:air:${new URL(origin).hostname}:${namespace}:${name}`;
}

/** The text, or as many of its sentences as fit, or else of its words. */
export function shortened(text: string, max: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= max) return line;
  const start = line.slice(0, max);
  const sentences = /^.*[.!?](?= )/su.exec(line.slice(0, max + 1))?.[0];
  if (sentences !== undefined && sentences.length <= max) return sentences;
  const whole = start.slice(0, max - 1).replace(/\s\S*$/u, '');
  // Half of a pair of surrogates is no character.
  return `${whole.replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
