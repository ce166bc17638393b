import { isObject } from '../../documents/json.js';

/** The texts of a LightAPI operation beside its invocation and routing, for search and for display. */
interface LightApiTexts {
  /** Example prompts. */
  readonly prompts: readonly string[];
  /** Notes on behaviour, results, examples and disclosure. */
  readonly notes: readonly string[];
}

/** Where an operation has prompts, and notes: the value there may be one text, or a list of texts. */
const promptPaths = ['agent.skill.examples', 'metadata.routing.examplePrompts'] as const;
const notePaths = [
  ...['agent.skill.notes', 'safety.notes', 'input.description', 'idempotency.strategy'],
  'agent.disclose.level',
] as const;
/** Lists or maps of values, of which one may say what it shows. */
const valuePaths = ['input.examples', 'result.examples'] as const;
/** Members that name or describe an example of the operation. */
const exampleFields = ['name', 'title', 'summary', 'description'] as const;

/** @param operation `toolMetadata.lightapi`, of any shape */
export function lightApiTexts(operation: unknown): LightApiTexts {
  const said = (paths: readonly string[]) => paths.flatMap((path) => textsOf(at(operation, path)));
  const prompts = [...said(promptPaths), ...membersOf(operation, 'examples', 'prompt')];
  const examples = [
    ...exampleFields.flatMap((name) => membersOf(operation, 'examples', name)),
    ...valuePaths.flatMap((path) => membersOf(operation, path, 'description')),
  ];
  const notes = [...said(notePaths), ...resultTexts(operation), ...examples];
  return { prompts: [...new Set(prompts)], notes: [...new Set(notes)] };
}

/** The names of errors, and the texts of each result case. */
function resultTexts(operation: unknown): readonly string[] {
  const failures = at(operation, 'result.failure');
  const named = isObject(failures) ? Object.entries(failures) : [];
  return [
    ...caseTexts(at(operation, 'result.success')),
    ...named.flatMap(([name, failure]) => [name, ...caseTexts(failure)]),
  ];
}

/** `error` is a text, or an object of any shape. */
function caseTexts(resultCase: unknown): readonly string[] {
  const paths = ['description', 'error', 'error.message', 'error.description'];
  return paths.flatMap((path) => textsOf(at(resultCase, path)));
}

/** Of a list or map at the path: the text that each member has under the name. */
function membersOf(operation: unknown, path: string, name: string): readonly string[] {
  const members = at(operation, path);
  if (typeof members !== 'object' || members === null) return [];
  return Object.values(members).flatMap((member: unknown) => textsOf(at(member, name)));
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
