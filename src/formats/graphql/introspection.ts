import { member, type Json } from '../../documents/json.js';

/** What an introspection query answers: the result itself, or in its envelope. */
export function introspectionMember(document: Json): Json | undefined {
  return member(document, '__schema') ?? member(member(document, 'data'), '__schema');
}
