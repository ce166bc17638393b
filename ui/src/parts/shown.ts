/** A value in words; nothing where nothing was said. 0 and false are said. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(shown).join(', ');
  if (typeof value === 'object') {
    return Object.entries(value)
      .filter(([, each]) => shown(each) !== '')
      .map(([name, each]) => `${name}: ${shown(each)}`)
      .join('; ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
