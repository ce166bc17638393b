/** What a document calls a thing, as a tag's name: `Kunden & Verträge` is `kunden-vertrage`. Empty where nothing is left. */
export function tagSlug(words: string): string {
  return words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, 126)
    .replace(/^-+|-+$/g, '');
}

/** Whether a name is fit for a category or a tag as it is. */
export function isSlug(name: string): boolean {
  return /^[a-z0-9_-]{1,126}$/.test(name);
}
