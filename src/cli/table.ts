/** Characters of one cell. */
const widest = 60;

/** A text as it stands in one line of a table or list. */
export function oneLine(value: unknown, longest = widest): string {
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  const line = Array.from(text.replace(/\s+/g, ' ').trim());
  return line.length > longest ? `${line.slice(0, longest - 1).join('')}…` : line.join('');
}

/** Rows as lines with aligned columns, named in the first. */
export function table(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => oneLine(row[name])))];
  const widths = names.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
