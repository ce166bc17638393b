/** Types of a module: their names, and how a form is written in a language. */
import type { Form, FormDocument, Member, ObjectForm, Scalar } from './form.js';
import { pascal, typeName, type CodeName } from './names.js';

/** Names of a module's types, none twice: those of the tool itself, of definitions, and of objects in them. */
export class TypeNames {
  readonly base: string;
  readonly input: string;
  readonly result: string;
  readonly output: string;
  /** With the number that the next of the same name is tried with. */
  private readonly taken = new Map<string, number>();

  constructor(names: CodeName) {
    const tool = pascal(names);
    this.base = this.free(`${tool}Base`);
    this.input = this.free(`${tool}Input`);
    this.result = this.free(`${tool}Result`);
    this.output = this.free(`${tool}Output`);
  }

  /** A free name for something that the spec calls `wire`. */
  inner(within: string, wire: string): string {
    return this.free(`${within}${typeName(wire)}`.slice(0, 150));
  }

  private free(name: string): string {
    let free = name;
    let count = this.taken.get(name) ?? 2;
    for (; this.taken.has(free); count++) free = `${name}${String(count)}`;
    this.taken.set(name, count);
    if (free !== name) this.taken.set(free, 2);
    return free;
  }
}

/** How a language writes types. */
export interface Spelling {
  readonly simple: Readonly<Record<'unknown' | 'null' | 'boolean' | 'integer' | 'number' | 'string', string>>;
  literals(values: readonly Scalar[]): string;
  array(items: string): string;
  /** `required` of the places are there; without `rest` there are no more. */
  tuple(places: readonly string[], required: number, rest: string | undefined): string;
  map(values: string): string;
  /** @param types of the members, in their order */
  object(form: ObjectForm, types: readonly string[], hint: string): string;
  union(types: readonly string[]): string;
  reference(name: string): string;
}

/** Types of one side of a tool, arguments or result. */
export class Types {
  /** Names of the definitions, by their pointers. */
  readonly names: ReadonlyMap<string, string>;

  /** @param within begins the names of the definitions */
  constructor(
    readonly document: FormDocument,
    private readonly spelling: Spelling,
    names: TypeNames,
    within: string,
  ) {
    this.names = new Map(
      [...document.definitions.keys()].map((pointer) => {
        const last = pointer.slice(pointer.lastIndexOf('/') + 1);
        return [pointer, names.inner(within, last === '' ? 'root' : last)];
      }),
    );
  }

  /** @param hint what a type that must be declared apart is named after */
  of(form: Form, hint = ''): string {
    const { simple, ...spelling } = this.spelling;
    switch (form.kind) {
      case 'literals':
        return spelling.literals(form.values);
      case 'array':
        return spelling.array(this.of(form.items, hint));
      case 'tuple': {
        const places = form.places.map((place) => this.of(place, hint));
        return spelling.tuple(places, form.required, form.rest && this.of(form.rest, hint));
      }
      case 'map':
        return spelling.map(this.of(form.values, hint));
      case 'object':
        return spelling.object(form, this.ofMembers(form.members), hint);
      case 'union':
        return spelling.union([...new Set(form.of.map((one) => this.of(one, hint)))]);
      case 'reference':
        return spelling.reference(this.names.get(form.to) ?? simple.unknown);
      default:
        return simple[form.kind];
    }
  }

  ofMembers(members: readonly Member[]): readonly string[] {
    return members.map(({ form, name }) => this.of(form, name));
  }

  /** The definitions, by name. */
  definitions(): readonly (readonly [name: string, form: Form])[] {
    return [...this.document.definitions].map(([pointer, form]) => [this.names.get(pointer) ?? '', form]);
  }
}
