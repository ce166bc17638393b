/** The lines of a text that arrives in pieces, without their ends; nothing behind the last end is no line. Pure. */
import { LogFileFault } from './log-file.js';

/** @throws LogFileFault where a line has more bytes than `longest`, so that no more than that is ever held */
export async function* linesOf(
  pieces: AsyncIterable<Buffer>,
  longest: number,
): AsyncGenerator<string, void, undefined> {
  let kept: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, from)) {
      yield Buffer.concat([...kept, piece.subarray(from, at)]).toString('utf8');
      kept = [];
      size = 0;
      from = at + 1;
    }
    const rest = piece.subarray(from);
    size += rest.length;
    if (size > longest)
      throw new LogFileFault(`A line has more than ${String(longest)} bytes: this is no log of a host.`);
    if (rest.length > 0) kept.push(rest);
  }
  if (kept.length > 0) yield Buffer.concat(kept).toString('utf8');
}
