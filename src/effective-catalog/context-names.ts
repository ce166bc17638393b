/** The names of a comma-separated list of context, sorted and without doubles: one context, one cache entry. */
export function contextNames(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))].sort();
}
