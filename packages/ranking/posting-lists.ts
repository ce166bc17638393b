import { integers, shorts } from './growing.js';

/** Numbers in the largest block of a list. */
const LARGEST = 512;

/**
 * Many lists of numbers in a few typed arrays, since most words stand in one or two documents, where an array of their own would take
 * fifty times their bytes. A list is a chain of blocks of 1, 2, 4 … 512 numbers, each with the place of the next behind it.
 */
export class PostingLists {
  readonly numbers = integers();
  readonly marks = shorts();
  /** Of each list: where its first block begins, the next free place, how many are free there, and how many it holds. */
  private readonly first = integers();
  private readonly next = integers();
  private readonly free = shorts();
  private readonly counts = integers();

  get bytes(): number {
    const kept = [this.numbers, this.marks, this.first, this.next, this.free, this.counts];
    return kept.reduce((sum, each) => sum + each.bytes, 0);
  }

  /** Adds a number with its mark (0 to 65,535) behind the others of the list. */
  add(list: number, number: number, mark: number): void {
    while (this.counts.length <= list) for (const each of this.heads()) each.push(0);
    if (this.free.at(list) === 0) this.addBlock(list);
    const place = this.next.at(list);
    this.numbers.values[place] = number;
    this.marks.values[place] = mark;
    this.next.values[list] = place + 1;
    this.free.values[list] = this.free.at(list) - 1;
    this.counts.values[list] = this.counts.at(list) + 1;
  }

  /** How many numbers a list holds. */
  countOf(list: number): number {
    return this.counts.at(list);
  }

  /** Each number of a list with its mark, in the order in which they were added. */
  each(list: number, visit: (number: number, mark: number) => void): void {
    const { values: numbers } = this.numbers;
    const { values: marks } = this.marks;
    this.runs(list, (from, to) => {
      for (let at = from; at < to; at += 1) visit(numbers[at] ?? 0, marks[at] ?? 0);
    });
  }

  /** As {@link each}, for whoever has to be quick: the parts of `numbers` and `marks` that hold it, each up to `to` and without that. */
  runs(list: number, visit: (from: number, to: number) => void): void {
    const { values: numbers } = this.numbers;
    let [block, size, left] = [this.first.at(list), 1, this.counts.at(list)];
    while (left > 0) {
      visit(block, block + Math.min(size, left));
      left -= size;
      block = numbers[block + size] ?? 0;
      size = Math.min(LARGEST, 2 * size);
    }
  }

  private heads() {
    return [this.first, this.next, this.free, this.counts];
  }

  private addBlock(list: number): void {
    const block = this.numbers.length;
    const held = this.counts.at(list);
    // Blocks hold 1, 3, 7 … numbers together until the largest.
    const size = Math.min(LARGEST, held + 1);
    if (held === 0) this.first.values[list] = block;
    else this.numbers.values[this.next.at(list)] = block;
    for (let at = 0; at <= size; at += 1) {
      this.numbers.push(0);
      this.marks.push(0);
    }
    this.next.values[list] = block;
    this.free.values[list] = size;
  }
}
