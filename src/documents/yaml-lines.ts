import { lineCounter } from '../platform/validation/faults.js';
import { smallTextLimits } from './limits.js';
import { nodesOf } from './yaml-nodes.js';

/** The lines of a text's members and items, from 1, looked up when first asked for. */
export class YamlLines {
  private known: ReadonlyMap<string, number> | undefined;

  constructor(private readonly text: string) {}

  /** Line of the part, or of the nearest one that holds it. @param pointer RFC 6901 */
  of(pointer: string): number {
    if (pointer === '') return 1;
    this.known ??= this.read();
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const line = this.known.get(at);
      if (line !== undefined) return line;
    }
    return 1;
  }

  private read(): ReadonlyMap<string, number> {
    const lines = new Map<string, number>();
    const lineOf = lineCounter(this.text);
    try {
      for (const { pointer, offset } of nodesOf(this.text, smallTextLimits.depth))
        lines.set(pointer, lineOf(offset));
    } catch {
      // What can't be parsed says its line itself.
    }
    return lines;
  }
}

/** The line that a fault names in its text; undefined where it names none. */
export function lineSaidIn(text: string): number | undefined {
  const line = /\bline (\d+)/.exec(text)?.[1];
  return line === undefined ? undefined : Number(line);
}
