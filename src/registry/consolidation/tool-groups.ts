/** Which tools could be one: those that read the same resource, or that are taken for each other. Pure. */
import { byCodePoint } from '../../documents/json.js';
import type { ToolSpec } from '../specs/tool-spec.js';

/** How often a prompt that meant one tool led to another. */
export interface Confusion {
  readonly expected: string;
  readonly found: string;
  readonly times: number;
}

export interface ToolGroup {
  /** What they read, singular: `merge request`. */
  readonly resource: string;
  /** By name; two at least. */
  readonly tools: readonly ToolSpec[];
  /** Why they could be one. */
  readonly reasons: readonly string[];
}

/** Verbs of names that say that something is read. */
const readingVerbs = [
  'count',
  'describe',
  'fetch',
  'find',
  'get',
  'list',
  'lookup',
  'query',
  'read',
  'retrieve',
  'search',
  'show',
];
/** More tools than this would make a tool that nobody can describe. */
export const MAX_TOOLS = 12;

interface Named {
  readonly tool: ToolSpec;
  /** The words of the name but its verb, singular. */
  readonly words: readonly string[];
  /** Whether the name begins with the verb: `get_issue`, and not `gitlab_issue_search`. */
  readonly isPlain: boolean;
}

/**
 * Groups tools that only read. What changes something stays a tool of its own: whoever approves a call must see at its name
 * what it does. Groups of more than {@link MAX_TOOLS} are among them: nobody could describe such a tool.
 */
export function groupsOf(
  specs: readonly ToolSpec[],
  confusions: readonly Confusion[] = [],
): readonly ToolGroup[] {
  const reading = specs.filter(isReading).sort((a, b) => byCodePoint(a.name, b.name));
  const named = reading.map(wordsOf);
  const resources = resourcesOf(named);
  const groups = new Groups(reading);
  for (const { tool, words } of named) {
    const resource = resourceIn(words, resources);
    if (resource !== undefined) groups.put(tool.name, resource);
  }
  for (const confusion of confusions) groups.join(confusion);
  return groups.all();
}

/** Whether the tool says, or else its name says, that it changes nothing. */
export function isReading({ name, annotations }: ToolSpec): boolean {
  if (annotations.readOnlyHint !== undefined) return annotations.readOnlyHint;
  return annotations.destructiveHint !== true && splitName(name).some((word) => readingVerbs.includes(word));
}

export function splitName(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

export function isReadingVerb(word: string): boolean {
  return readingVerbs.includes(word);
}

/** Whether the name speaks of one of these resources. */
export function namesResource(name: string, resources: ReadonlySet<string>): boolean {
  return resourceIn(splitName(name).map(singular), resources) !== undefined;
}

function wordsOf(tool: ToolSpec): Named {
  const split = splitName(tool.name);
  return {
    tool,
    words: split.filter((word) => !isReadingVerb(word) && word !== 'all').map(singular),
    isPlain: isReadingVerb(split[0] ?? ''),
  };
}

export function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** What plain names name; of `issue` and `issue note` the first is the resource, and the other a part of it. */
function resourcesOf(named: readonly Named[]): ReadonlySet<string> {
  const plain = named.filter(({ isPlain, words }) => isPlain && words.length > 0).map(({ words }) => words);
  const all = new Set(plain.map((words) => words.join(' ')));
  const isPart = (words: readonly string[]): boolean =>
    words.some((_, end) => end > 0 && all.has(words.slice(0, end).join(' ')));
  return new Set(plain.filter((words) => !isPart(words)).map((words) => words.join(' ')));
}

/** The longest resource that the words name, one after another; of equally long ones the first. */
function resourceIn(words: readonly string[], resources: ReadonlySet<string>): string | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const part = words.slice(start, start + length).join(' ');
      if (resources.has(part)) return part;
    }
  }
  return undefined;
}

interface Growing {
  readonly resource: string;
  readonly names: Set<string>;
  readonly reasons: string[];
}

/** Groups that grow together. */
class Groups {
  private readonly tools: ReadonlyMap<string, ToolSpec>;
  private readonly groupOf = new Map<string, Growing>();
  private readonly byResource = new Map<string, Growing>();

  constructor(specs: readonly ToolSpec[]) {
    this.tools = new Map(specs.map((spec) => [spec.name, spec]));
  }

  put(name: string, resource: string): void {
    const group = this.byResource.get(resource) ?? {
      ...{ resource, names: new Set<string>(), reasons: [`They read the same resource: ${resource}.`] },
    };
    group.names.add(name);
    this.byResource.set(resource, group);
    this.groupOf.set(name, group);
  }

  join({ expected, found, times }: Confusion): void {
    if (!this.tools.has(expected) || !this.tools.has(found) || expected === found) return;
    const reason = `${found} was taken ${times === 1 ? 'once' : `${String(times)} times`} where ${expected} was meant.`;
    const own = this.groupOf.get(expected) ?? this.groupOf.get(found);
    const other = this.groupOf.get(found) ?? own;
    const resource = singular(
      splitName(expected)
        .filter((word) => !isReadingVerb(word))
        .at(-1) ?? 'item',
    );
    const group = own ?? { resource, names: new Set<string>(), reasons: [] };
    const names = new Set([...group.names, ...(other?.names ?? []), expected, found]);
    const reasons = [...new Set([...group.reasons, ...(other?.reasons ?? []), reason])];
    const joined = { resource: group.resource, names, reasons };
    for (const name of names) this.groupOf.set(name, joined);
  }

  all(): readonly ToolGroup[] {
    return [...new Set(this.groupOf.values())]
      .filter(({ names }) => names.size > 1)
      .map(({ resource, names, reasons }) => ({
        resource,
        tools: [...names].sort(byCodePoint).flatMap((name) => this.tools.get(name) ?? []),
        reasons,
      }));
  }
}
