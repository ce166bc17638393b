import type { Form, FormDocument } from './form.js';
import { pascal, typeName, type CodeName } from './names.js';
import type { PreparedTool } from './prepared-tool.js';

/** Names of a module's types, none twice: those of the tool itself, of definitions, and of objects in them. */
export class TypeNames {
  readonly base: string;
  readonly input: string;
  readonly result: string;
  readonly output: string;
  private readonly taken = new Set<string>();

  constructor(names: CodeName) {
    const tool = pascal(names);
    this.base = this.take(`${tool}Base`);
    this.input = this.take(`${tool}Input`);
    this.result = this.take(`${tool}Result`);
    this.output = this.take(`${tool}Output`);
    this.prefix = tool;
  }

  private readonly prefix: string;

  /** A free name for something that the spec calls `wire`. */
  inner(within: string, wire: string): string {
    return this.take(`${within}${typeName(wire)}`.slice(0, 150));
  }

  /** Of the definitions of a document, by their pointers. */
  definitions({ definitions }: FormDocument, side: 'input' | 'result'): ReadonlyMap<string, string> {
    const within = side === 'input' ? this.prefix : this.result;
    const names = [...definitions.keys()].map((pointer): [string, string] => {
      const last = pointer.slice(pointer.lastIndexOf('/') + 1);
      return [pointer, this.inner(within, last === '' ? 'root' : last)];
    });
    return new Map(names);
  }

  private take(name: string): string {
    let free = name;
    for (let count = 2; this.taken.has(free); count++) free = `${name}${String(count)}`;
    this.taken.add(free);
    return free;
  }
}

/** Sides of a tool, with the definitions of each. */
export function sidesOf(
  { input, output }: PreparedTool,
  names: TypeNames,
): { readonly document: FormDocument; readonly definitions: ReadonlyMap<string, string> }[] {
  return [
    { document: input, definitions: names.definitions(input, 'input') },
    { document: output, definitions: names.definitions(output, 'result') },
  ];
}

/** What a comment on a type says of alternatives that are told apart by a member. */
export function tagNote(form: Form): string {
  return form.kind === 'union' && form.tag !== undefined ? `Told apart by ${form.tag}.` : '';
}
