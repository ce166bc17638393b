/** Faults of a query, gathered so that all of them are told at once. Pure. */
import { Invalid, type Fault } from '../eventsourcing/errors.js';
import type { NodeType, RelationshipType } from './ontology.types.js';
import { queryLimits } from './query-limits.js';

export const invalidQuery = 'invalid_graph_query';

export class Faults {
  private readonly faults: Fault[] = [];

  /** Gives null, for a reader to give in its turn. */
  add(pointer: string, detail: string): null {
    this.faults.push({ pointer, detail });
    return null;
  }

  /** All that `read` adds ends with what to ask for: the type that it is about. */
  about<T>(type: NodeType | RelationshipType, read: () => T): T {
    const before = this.faults.length;
    const value = read();
    const fresh = this.faults.splice(before);
    const hint = expand(type);
    this.faults.push(...fresh.map(({ pointer, detail }) => ({ pointer, detail: `${detail}; ${hint}` })));
    return value;
  }

  /** Throws Invalid where there are any. */
  refuse(): void {
    const [first] = this.faults;
    if (first === undefined) return;
    throw new Invalid(invalidQuery, `The query can’t be run: ${first.pointer} ${first.detail}.`, this.faults);
  }
}

/** Of what is read for an answer, or of the answer itself. */
export function tooLarge(bytes: number): Invalid {
  const detail = `gives ${bytes} bytes, more than ${queryLimits.answerBytes}; name fewer columns or a lower limit`;
  return new Invalid('graph_answer_too_large', `The query ${detail}.`, [{ pointer: '/limit', detail }]);
}

/** What to ask for where a word was not known, or not fit. */
export function expand(type: NodeType | RelationshipType): string {
  const member = 'view' in type ? 'expand_nodes' : 'expand_relationship_types';
  return `get_graph_schema with ${member} ["${type.name}"] tells its properties, operators and values`;
}
