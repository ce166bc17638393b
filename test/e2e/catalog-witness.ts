import type { World } from './catalog-world.js';

/** All that an administrator is shown, withheld tools and example prompts too. */
export const inFull = '&withheld=true&examples=true';

/** Reads the catalog of a host elsewhere than where it was written. */
export type Elsewhere = (world: World, more: string) => Promise<string>;

interface Catalog {
  readonly catalogHash: string;
  readonly catalogVersion: number;
}

/** Keeps what the agent of one host was given, and says what must hold of it. */
export class CatalogWitness {
  private readonly given = new Map<number, string>();
  private readonly hashes = new Map<string, string>();
  private readonly contents = new Map<string, string>();
  private version = 0;
  /** In full. */
  private last = '';
  private turn = 0;

  constructor(
    readonly world: World,
    private readonly elsewhere: readonly Elsewhere[],
  ) {}

  /**
   * After the host's own log may have grown: the version has not fallen, equal content has an equal hash, and the other
   * way round. The full catalog is the plain one and more: so from here on the full one is looked at alone.
   */
  async note(): Promise<void> {
    this.last = await this.world.catalog(inFull);
    this.given.set(await this.world.position(), this.last);
    const plain = JSON.parse(await this.world.catalog()) as Catalog;
    expect(JSON.parse(this.last)).toMatchObject(plain as unknown as Record<string, unknown>);
    const { catalogHash, catalogVersion, ...content } = plain;
    expect(catalogVersion).toBeGreaterThanOrEqual(this.version);
    this.version = catalogVersion;
    const text = JSON.stringify(content);
    expect([this.contents.get(catalogHash) ?? text, this.hashes.get(text) ?? catalogHash]).toEqual([
      text,
      catalogHash,
    ]);
    this.contents.set(catalogHash, text);
    this.hashes.set(text, catalogHash);
  }

  /** The bytes last given are given again, version and all: here, and wherever else the host is served. */
  async expectUnmoved(): Promise<void> {
    expect(await this.world.catalog(inFull)).toEqual(this.last);
    for (const elsewhere of this.elsewhere) expect(await elsewhere(this.world, inFull)).toEqual(this.last);
  }

  /** Whatever was given at a position is what it says of that position today; of some positions, or of all. */
  async expectPast(some?: number): Promise<void> {
    const all = [...this.given];
    // In turn, so that each is asked for again and again while the log grows.
    const turn = Array.from({ length: Math.min(some ?? 0, all.length) }, () => all[this.turn++ % all.length]);
    for (const [position, given] of some === undefined ? all : turn.filter((one) => one !== undefined)) {
      const asOf = `${inFull}&asOf=${String(position)}`;
      expect({ position, past: await this.world.catalog(asOf) }).toEqual({ position, past: given });
    }
  }
}
