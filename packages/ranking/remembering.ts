/** Longer texts may be slices that hold on to what they were cut from. */
const MAX_LENGTH = 12;
const most = 20_000;

/** The same function of a word, quicker for the words that come again and again. Its results are shared: they must not be changed. */
export function remembering<Made extends object | string>(
  make: (word: string) => Made,
): (word: string) => Made {
  const known = new Map<string, Made>();
  return (word) => {
    if (word.length > MAX_LENGTH) return make(word);
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const made = make(word);
    known.set(word, made);
    return made;
  };
}
