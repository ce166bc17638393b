type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Numbers in one typed array, which grows by a quarter. */
export class Growing<Kind extends Numbers> {
  length = 0;
  values: Kind;

  constructor(private readonly make: (length: number) => Kind) {
    this.values = make(2);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = this.make(Math.ceil(this.length * 1.25) + 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.values[index] ?? 0;
  }

  get bytes(): number {
    return this.values.byteLength;
  }
}

export const bytes = () => new Growing((length) => new Uint8Array(length));
export const shorts = () => new Growing((length) => new Uint16Array(length));
export const integers = () => new Growing((length) => new Uint32Array(length));
export const doubles = () => new Growing((length) => new Float64Array(length));
