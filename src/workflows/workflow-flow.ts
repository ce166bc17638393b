/** Where the steps of a workflow lead to. Pure. */
import type { Json, JsonObject } from '../documents/json.js';
import { objectOf } from './tool-calls.js';
import type { Step } from './workflow-steps.js';

/** A step that may come next. */
export interface Way {
  /** RFC 6901 pointer to it. */
  readonly path: string;
  /** What leads there: a case of a switch, or the member that holds the steps within; null where it just follows. */
  readonly label: string | null;
}

/** Members of a step that hold the steps within it, and what they are called for short. */
const within: readonly (readonly [member: string, label: string])[] = [
  ['/do', 'do'],
  ['/fork/branches', 'branch'],
  ['/try', 'try'],
  ['/catch/do', 'catch'],
  ['/foreach/do', 'foreach'],
  ['/listen/foreach/do', 'foreach'],
  ['/with/subscription/foreach/do', 'foreach'],
];

/** Where steps stand: path of their list, and their names there in order, each with its path. */
type Lists = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Gives for each step, by its path, where it leads to. */
export function waysOf(steps: readonly Step[]): ReadonlyMap<string, readonly Way[]> {
  const lists = listsOf(steps);
  return new Map(steps.map((step) => [step.path, [...inner(step, lists), ...onwards(step, lists)]]));
}

function listsOf(steps: readonly Step[]): Lists {
  const lists = new Map<string, Map<string, string>>();
  for (const { path, name } of steps) {
    const at = listOf(path);
    const list = lists.get(at) ?? new Map<string, string>();
    if (!list.has(name)) list.set(name, path);
    lists.set(at, list);
  }
  return lists;
}

/** `/do/0/a` stands in `/do`. */
function listOf(path: string): string {
  return path.split('/').slice(0, -2).join('/');
}

/** Branches begin all at once; of other lists the first step comes first. */
function inner({ path }: Step, lists: Lists): readonly Way[] {
  return within.flatMap(([member, label]) => {
    const all = [...(lists.get(path + member)?.values() ?? [])];
    return (label === 'branch' ? all : all.slice(0, 1)).map((first) => ({ path: first, label }));
  });
}

function onwards({ path, name, given }: Step, lists: Lists): readonly Way[] {
  const at = listOf(path);
  const siblings = lists.get(at) ?? new Map<string, string>();
  const names = [...siblings.keys()];
  // Branches and functions don't follow one another.
  const follower = /\/fork\/branches$|^\/use$/.test(at) ? undefined : names[names.indexOf(name) + 1];
  const to = (then: Json | undefined, label: string | null): readonly Way[] => {
    const target = then === undefined || then === 'continue' ? follower : then;
    const found = typeof target === 'string' ? siblings.get(target) : undefined;
    return found === undefined ? [] : [{ path: found, label }];
  };
  if (given['raise'] !== undefined) return [];
  const cases = casesOf(given['switch']);
  const ways = cases.flatMap(({ label, then }) => to(then, label));
  const isClosed = cases.some(({ isDefault }) => isDefault);
  return isClosed ? ways : [...ways, ...to(given['then'], null)];
}

function casesOf(given: Json | undefined) {
  const entries = (Array.isArray(given) ? given : []).flatMap((item) => Object.entries(objectOf(item)));
  return entries.map(([label, value]) => {
    const { when, then }: JsonObject = objectOf(value);
    return { label, then, isDefault: when === undefined };
  });
}
