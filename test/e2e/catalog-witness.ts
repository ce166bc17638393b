import type { World } from './catalog-world.js';

/** All that an administrator is shown, withheld tools and example prompts too. */
export const inFull = '&withheld=true&examples=true';

/** Reads the catalog of a host elsewhere than where it was written. */
export type Elsewhere = (world: World, more: string) => Promise<string>;

/** Plain, and in full. */
type Given = readonly [plain: string, full: string];

/** Keeps what the agent of one host was given, and says what must hold of it. */
export class CatalogWitness {
  private readonly given = new Map<number, Given>();
  private readonly hashes = new Map<string, string>();
  private readonly contents = new Map<string, string>();
  private version = 0;
  private last: Given = ['', ''];

  constructor(
    readonly world: World,
    private readonly elsewhere: readonly Elsewhere[],
  ) {}

  /** After the host's own log may have grown: the version has not fallen, equal content has an equal hash, and the other way round. */
  async note(): Promise<void> {
    this.last = await this.read();
    this.given.set(await this.world.position(), this.last);
    const { catalogHash, catalogVersion, ...content } = JSON.parse(this.last[0]) as {
      readonly catalogHash: string;
      readonly catalogVersion: number;
    };
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
    expect(await this.read()).toEqual(this.last);
    for (const elsewhere of this.elsewhere) {
      expect([await elsewhere(this.world, ''), await elsewhere(this.world, inFull)]).toEqual(this.last);
    }
  }

  /** Whatever was given at a position is what it says of that position today. */
  async expectPast(): Promise<void> {
    for (const [position, given] of this.given) {
      const asOf = `&asOf=${String(position)}`;
      expect({ position, past: await this.read(asOf) }).toEqual({ position, past: given });
    }
  }

  private async read(more = ''): Promise<Given> {
    return [await this.world.catalog(more), await this.world.catalog(inFull + more)];
  }
}
