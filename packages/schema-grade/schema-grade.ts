import { Comparison, type Direction, type SchemaFinding, type SchemaGrade } from './comparison.js';

export type { Direction, SchemaFinding, SchemaGrade };

/**
 * Grades the change of an input schema for callers: what was accepted must stay accepted. A new required
 * input, a narrowed type or enum, a tightened bound and a removed property break; more freedom does not.
 */
export function gradeInput(before: unknown, after: unknown): SchemaGrade {
  return new Comparison(before, after, 'input').grade();
}

/**
 * Grades the change of an output schema for readers: what comes back must be what they could expect before.
 * A property that is gone or no longer certain, a wider type and a new enum value break. Either schema may be
 * absent: a promise taken back breaks, a new one does not.
 */
export function gradeOutput(before: unknown, after: unknown): SchemaGrade {
  return new Comparison(before, after, 'output').grade();
}

/** Every change, in the order of the schemas, a hundred at most; none where both take the same. */
export function schemaFindings(
  before: unknown,
  after: unknown,
  direction: Direction,
): readonly SchemaFinding[] {
  const findings: SchemaFinding[] = [];
  new Comparison(before, after, direction, findings).grade();
  return findings;
}
