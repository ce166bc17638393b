import { isObject, listMember, textMember, type Json } from '../../documents/json.js';

/** Keywords whose schema, or schemas, speak of the same value. */
const ONE = ['not', 'if', 'then', 'else'];
const SEVERAL = ['allOf', 'anyOf', 'oneOf'];

/** Where references lead, and what stands there; without a pointer where that is not in the document. */
interface Definitions {
  find(reference: string): { readonly kind: string; readonly pointer?: string };
  at(pointer: string): Json | undefined;
}

/** Which definitions are composed of which others: by references that lead through no property and no item. */
export class Composition {
  private readonly reached = new Map<string, ReadonlySet<string>>();

  constructor(private readonly source: Definitions) {}

  /** Whether a definition is composed of the innermost of those that are open, which is being composed of it. */
  isCircle(pointer: string, open: readonly string[]): boolean {
    const innermost = open.at(-1);
    return innermost !== undefined && (pointer === innermost || this.from(pointer).has(innermost));
  }

  private from(pointer: string): ReadonlySet<string> {
    const known = this.reached.get(pointer);
    if (known) return known;
    const found = new Set<string>();
    const next = [pointer];
    for (let one = next.pop(); one !== undefined; one = next.pop()) {
      for (const target of this.partsOf(this.source.at(one) ?? null)) {
        if (found.has(target)) continue;
        found.add(target);
        next.push(target);
      }
    }
    this.reached.set(pointer, found);
    return found;
  }

  private partsOf(root: Json): readonly string[] {
    const found: string[] = [];
    const next = [root];
    for (let schema = next.pop(); schema !== undefined; schema = next.pop()) {
      if (!isObject(schema)) continue;
      const reference = textMember(schema, '$ref') ?? textMember(schema, '$dynamicRef');
      const target = reference === undefined ? undefined : this.source.find(reference);
      if (target?.pointer !== undefined) found.push(target.pointer);
      for (const keyword of SEVERAL) next.push(...listMember(schema, keyword));
      for (const keyword of ONE) next.push(schema[keyword] ?? null);
    }
    return found;
  }
}
