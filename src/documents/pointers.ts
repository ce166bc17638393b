/** RFC 6901. */

/** Appends steps to a pointer. */
export function below(pointer: string, ...segments: (string | number)[]): string {
  let path = pointer;
  for (const segment of segments)
    path += `/${typeof segment === 'number' ? String(segment) : escaped(segment)}`;
  return path;
}

const escaped = (step: string): string =>
  step.includes('~') || step.includes('/') ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step;

/** The name of the definition that a reference of a schema that stands alone leads to, or into. */
export function definitionNamed(reference: string): string | undefined {
  return reference.startsWith('#/$defs/') ? stepsOf(reference)[1] : undefined;
}

/** Splits a pointer into its steps. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
