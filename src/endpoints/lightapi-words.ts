/** What a LightAPI operation says beside how it is called and what its routing means: for search, and for whoever asks. */
export interface LightApiWords {
  /** What people say when they want it. */
  readonly prompts: readonly string[];
  /** Notes on behaviour, and the names of what may go wrong. */
  readonly notes: readonly string[];
}

/** Where an operation has prompts, and notes: the value there may be one text, or a list or map of texts. */
const promptPaths = ['agent.skill.examples', 'metadata.routing.examplePrompts'] as const;
const notePaths = ['agent.skill.notes', 'safety.notes', 'input.description', 'idempotency.strategy'] as const;

/** @param operation `toolMetadata.lightapi`, of any shape */
export function lightApiWords(operation: unknown): LightApiWords {
  const prompts = promptPaths.flatMap((path) => textsOf(at(operation, path)));
  const notes = notePaths.flatMap((path) => textsOf(at(operation, path)));
  const failures = at(operation, 'result.failure');
  const wrong = isObject(failures) ? Object.keys(failures) : [];
  return { prompts: [...new Set([...prompts, ...examplePrompts(operation)])], notes: [...notes, ...wrong] };
}

/** Of `examples`, a list or a map: the prompt of each that has one. */
function examplePrompts(operation: unknown): readonly string[] {
  const examples = at(operation, 'examples');
  if (typeof examples !== 'object' || examples === null) return [];
  return Object.values(examples).flatMap((example: unknown) => textsOf(at(example, 'prompt')));
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.')) {
    found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
