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

/** Splits a pointer into its steps. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
