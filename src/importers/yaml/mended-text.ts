/** A line that does nothing but close lists and mappings of flow style. Tabs are none of it. */
const closer = /^ *[\]}][\]}, ]*(#.*)?\r?$/;
/** A line that opens a block scalar: what is further in than it belongs to the scalar, and is nobody's bracket. */
const scalarHeader = /(^|\s)[|>][-+\d]{0,2}\s*(#.*)?\r?$/;

/** Times that a text is read again: each time all lines that are alike are moved, but for those of doubt. */
const MOST_MENDS = 5;

/**
 * A text whose lines that close flow collections are moved one column in where a parser refuses them: YAML asks for that
 * much, and much that is published closes at the indentation of the key. Where brackets close, columns mean nothing else.
 */
export class MendedText {
  private lines: string[] = [];
  private readonly moved = new Set<number>();

  constructor(public text: string) {}

  /** Numbers of the lines that were moved, from 1; the first was refused. */
  get numbers(): readonly number[] {
    return [...this.moved].map((at) => at + 1);
  }

  /**
   * Parses the text, anew with lines moved where that may help.
   *
   * @param refusedLine the number, from 0, of the line that a fault refuses for its indentation; else undefined
   */
  read(parse: (text: string) => unknown, refusedLine: (fault: unknown) => number | undefined): unknown {
    for (let mends = 0; ; mends++) {
      try {
        return parse(this.text);
      } catch (fault) {
        const line = mends < MOST_MENDS ? refusedLine(fault) : undefined;
        if (line === undefined || !this.move(line)) throw fault;
      }
    }
  }

  /** Moves the line, and those like it below. False where it closes nothing, or was moved before. */
  private move(from: number): boolean {
    if (this.moved.size === 0) this.lines = this.text.split('\n');
    if (!closer.test(this.lines[from] ?? '') || this.moved.has(from)) return false;
    let scalar = -1;
    for (const [at, line] of this.lines.entries()) {
      const indent = line.length - line.trimStart().length;
      const inScalar = scalar >= 0 && (line.trim() === '' || indent > scalar);
      if (!inScalar) scalar = scalarHeader.test(line) ? indent : -1;
      if (at < from || this.moved.has(at) || (at > from && inScalar) || !closer.test(line)) continue;
      this.lines[at] = ` ${line}`;
      this.moved.add(at);
    }
    this.text = this.lines.join('\n');
    return true;
  }
}
