/** Names in a templated path, in order, each once: `/a/{b}/{c}` has b and c. */
export function templateNames(path: string): readonly string[] {
  const names = [...path.matchAll(/\{([^{}/]{1,200})\}/g)].map((match) => plainName(match[1] as string));
  return [...new Set(names.filter((name) => name !== '' && name !== '__proto__'))];
}

/** Without the operators of RFC 6570: `{+rest}`, `{path*}`, `{?limit}`. */
function plainName(expression: string): string {
  return expression
    .trim()
    .replace(/^[+#./;?&]/, '')
    .replace(/\*$/, '')
    .trim();
}
