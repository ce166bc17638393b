/** Tells the line, from 1, of places in a text that are asked for in order: all of them cost one walk over the text. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) line++;
    return line;
  };
}
