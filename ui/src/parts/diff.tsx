import { useMemo } from 'react';
import { useFormats, useTexts } from '../texts/texts.tsx';

const CONTEXT = 3;
const MAX_LINES = 4_000;

interface Line {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Two values line by line: what changed, with a little around it; the rest is folded. */
export function Diff({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const { diffs } = useTexts();
  const { number } = useFormats();
  const parts = useMemo(() => folded(compared(linesOf(before), linesOf(after))), [before, after]);
  if (parts.every((part) => typeof part === 'number')) return <p className="portal-subtle">{diffs.same}</p>;
  return (
    <pre className="portal-code portal-scroll portal-diff" tabIndex={0} aria-label={diffs.title}>
      {parts.map((part, index) =>
        typeof part === 'number' ? (
          <span key={index} className="portal-subtle">
            {`… ${diffs.folded(number(part))}\n`}
          </span>
        ) : (
          <Changed key={index} {...part} />
        ),
      )}
    </pre>
  );
}

const signs = { same: '  ', gone: '- ', new: '+ ' } as const;

function Changed({ kind, text }: Line) {
  const line = `${signs[kind]}${text}\n`;
  if (kind === 'gone') return <del>{line}</del>;
  return kind === 'new' ? <ins>{line}</ins> : <span>{line}</span>;
}

function linesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  return text.split('\n').slice(0, MAX_LINES);
}

/** By the longest common lines, after what is alike at both ends is taken away. */
function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const same = (text: string): Line => ({ kind: 'same', text });
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function middle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const gone = before.map((text): Line => ({ kind: 'gone', text }));
  const added = after.map((text): Line => ({ kind: 'new', text }));
  // A table of this size would take longer than anybody reads.
  if (before.length * after.length > 1_000_000) return [...gone, ...added];
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ kind: 'same', text: before[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(gone[i++] as Line);
    else lines.push(added[j++] as Line);
  }
  return [...lines, ...gone.slice(i), ...added.slice(j)];
}

/** Lines that changed and those around them; of others how many follow one another. */
function folded(lines: readonly Line[]): readonly (Line | number)[] {
  const near = new Set(
    lines.flatMap(({ kind }, index) =>
      kind === 'same' ? [] : Array.from({ length: 2 * CONTEXT + 1 }, (_, step) => index - CONTEXT + step),
    ),
  );
  const parts: (Line | number)[] = [];
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1);
    if (near.has(index)) parts.push(line);
    else if (typeof last === 'number') parts[parts.length - 1] = last + 1;
    else parts.push(1);
  }
  return parts;
}
