import { alternatives, isObject, membersOf, referenced, type Schema } from './schema-reading.js';

type Names = ReadonlySet<string> | 'any';

export const noNames: ReadonlySet<string> = new Set();

/** Levels of branches in branches that are looked at. */
const MAX_DEPTH = 300;

/** Finds of which names the branches of a schema say something: once, where many schemas share a branch. */
export class BranchNames {
  private readonly known = new WeakMap<Schema, Names>();

  constructor(
    private readonly resolve: (schema: unknown) => unknown,
    /** False where no steps are left: then a branch is taken to speak of any name. */
    private readonly spend: (steps: number) => boolean,
  ) {}

  /** Any, where a branch says something of all that it does not name. */
  of(schema: Schema, depth = 0): Names {
    const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => alternatives(schema[keyword]));
    if ('$ref' in schema) branches.push(referenced(schema));
    if (depth > MAX_DEPTH || !this.spend(branches.length)) return 'any';
    let names: Names = noNames;
    for (const branch of branches) {
      const part = this.resolve(branch);
      if (isObject(part)) names = this.both(names, this.saidBy(part, depth + 1));
      if (names === 'any') break;
    }
    return names;
  }

  /** By a branch itself, or by branches of it. */
  private saidBy(part: Schema, depth: number): Names {
    const known = this.known.get(part);
    if (known !== undefined) return known;
    const deeper = isObject(part['additionalProperties']) ? 'any' : this.of(part, depth);
    const found = this.both(new Set(membersOf(part['properties']).keys()), deeper);
    this.known.set(part, found);
    return found;
  }

  private both(one: Names, other: Names): Names {
    if (one === 'any' || other === 'any') return 'any';
    if (one.size === 0) return other;
    if (other.size === 0) return one;
    return this.spend(one.size + other.size) ? new Set([...one, ...other]) : 'any';
  }
}
