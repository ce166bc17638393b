import { Invalid } from '../eventsourcing/errors.js';
import { secretFaults } from '../platform/validation/secrets-in-texts.js';
import { validateWorkflow, type Identity } from './workflow-validation.js';
import type { Workflow } from './workflow.fields.js';

/** A definition with what was found when it was read. */
export type WorkflowContent = Pick<Workflow, 'definition' | 'toolCalls' | 'warnings'>;

/**
 * Reads a definition that is to be saved.
 *
 * @throws Invalid `workflow_definition_invalid` with all errors, `workflow_contains_secret` with the lines
 */
export async function readContent(definition: string, identity: Identity): Promise<WorkflowContent> {
  const { problems, toolCalls } = validateWorkflow(definition, { identity });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new Invalid(
      'workflow_definition_invalid',
      'The definition can’t be saved as it is. POST …/workflows/validate tells the same without writing.',
      errors.map(({ path, message }) => ({ pointer: '/definition', detail: at(path, message) })),
    );
  }
  await refuseSecrets(definition);
  const warnings = problems.map(({ path, code, message }) => ({ path, code, message }));
  return { definition, toolCalls: [...toolCalls], warnings };
}

async function refuseSecrets(definition: string): Promise<void> {
  const faults = await secretFaults([{ pointer: '/definition', text: definition }]);
  if (faults.length === 0) return;
  const detail = 'A workflow names its secrets in use.secrets and never holds them. Take them out.';
  throw new Invalid('workflow_contains_secret', detail, faults);
}

function at(path: string, message: string): string {
  return path === '' ? message : `${path}: ${message}`;
}
