/** Makes choices from a list of numbers: the same numbers, the same query. */
export class Chooser {
  private at = 0;

  constructor(private readonly numbers: readonly number[]) {}

  below(bound: number): number {
    this.at += 1;
    return (this.numbers[this.at % this.numbers.length] ?? 0) % bound;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  some<T>(list: readonly T[], most: number): T[] {
    const wanted = 1 + this.below(most);
    return [...new Set(Array.from({ length: wanted }, () => this.of(list)))];
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}
