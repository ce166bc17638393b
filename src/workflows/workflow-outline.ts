/** A definition as an editor shows it: each problem and step with its line, and where steps lead to. Pure. */
import { lineSaidIn, YamlLines } from '../documents/yaml-lines.js';
import type { Problem } from './tool-calls.js';
import { waysOf, type Way } from './workflow-flow.js';
import type { Step } from './workflow-steps.js';
import { secretsIn, validateWorkflow } from './workflow-validation.js';

interface Placed {
  /** From 1; of the nearest part that is there. */
  readonly line: number;
}

export interface Outline {
  /** In the order of the text. */
  readonly problems: readonly (Problem & Placed)[];
  readonly steps: readonly (Omit<Step, 'given'> & Placed & { readonly next: readonly Way[] })[];
}

/** Outlines a definition, and says all that is wrong with it, the secrets in it too. Options as of `validateWorkflow`. */
export async function outlineOf(
  definition: string,
  options: Parameters<typeof validateWorkflow>[1],
): Promise<Outline> {
  const { problems, steps } = validateWorkflow(definition, options);
  const lines = new YamlLines(definition);
  const ways = waysOf(steps);
  const placed = problems.map((problem) => ({
    ...problem,
    line: problem.path === '' ? (lineSaidIn(problem.message) ?? 1) : lines.of(problem.path),
  }));
  const secrets = (await secretsIn(definition)).flatMap(({ detail }) => {
    const line = lineSaidIn(detail);
    const message = `The definition ${detail}. Name it in use.secrets.`;
    const problem = { severity: 'error' as const, path: '', code: 'workflow_contains_secret', message };
    return line === undefined ? [] : [{ ...problem, line }];
  });
  return {
    problems: [...placed, ...secrets].sort((one, other) => one.line - other.line),
    steps: steps.map(({ given: _, ...step }) => ({
      ...step,
      line: lines.of(step.path),
      next: ways.get(step.path) ?? [],
    })),
  };
}
