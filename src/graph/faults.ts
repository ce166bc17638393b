/** Faults of a query, gathered so that all of them are told at once. Pure. */
import { Invalid, type Fault } from '../eventsourcing/errors.js';

export const invalidQuery = 'invalid_graph_query';

export class Faults {
  private readonly faults: Fault[] = [];

  /** Gives null, for a reader to give in its turn. */
  add(pointer: string, detail: string): null {
    this.faults.push({ pointer, detail });
    return null;
  }

  /** Throws Invalid where there are any. */
  refuse(): void {
    const [first] = this.faults;
    if (first === undefined) return;
    throw new Invalid(invalidQuery, `The query can’t be run: ${first.pointer} ${first.detail}.`, this.faults);
  }
}

/** What to ask for where a word was not known. */
export function expandNode(name: string): string {
  return `get_graph_schema with expand_nodes ["${name}"] lists them`;
}
