/** What a proposal of one tool in place of several does not take with it. Pure. */
import { byCodePoint } from '../../documents/json.js';
import type { ToolSpec } from '../specs/tool-spec.js';
import { type Confusion, isReading, MAX_TOOLS, namesResource, type ToolGroup } from './tool-groups.js';

/** A tool that could have been meant and is part of no proposal, and why. */
export interface Omission {
  readonly tool: string;
  readonly reason: string;
}

const changes =
  'It changes something, or does not say that it only reads (annotations.readOnlyHint): whoever approves a call must see at the ' +
  'name what it does, so it stays a tool of its own.';

/** Tools that change something and were named, confused, or name the resource of a proposal. */
export function writingAmong(
  specs: readonly ToolSpec[],
  {
    wanted,
    confusions,
    groups,
  }: {
    readonly wanted: readonly string[] | undefined;
    readonly confusions: readonly Confusion[];
    readonly groups: readonly ToolGroup[];
  },
): readonly Omission[] {
  const confused = new Set(confusions.flatMap(({ expected, found }) => [expected, found]));
  const resources = new Set(groups.map(({ resource }) => resource));
  return specs
    .filter((spec) => !isReading(spec))
    .filter(({ name }) =>
      wanted === undefined ? confused.has(name) || namesResource(name, resources) : wanted.includes(name),
    )
    .map(({ name }) => ({ tool: name, reason: changes }));
}

/** Names that were asked for or confused and of which there is no spec. */
export function unknownAmong(specs: readonly ToolSpec[], names: readonly string[]): readonly Omission[] {
  const known = new Set(specs.map(({ name }) => name));
  const unknown = [...new Set(names)].filter((name) => !known.has(name));
  return unknown.sort(byCodePoint).map((tool) => ({ tool, reason: 'No spec of it was read.' }));
}

/** Tools of groups that are too large to be one. */
export function crowded(groups: readonly ToolGroup[]): readonly Omission[] {
  return groups.flatMap(({ resource, tools }) =>
    tools.map(({ name }) => ({
      tool: name,
      reason:
        `${String(tools.length)} tools read ${resource}: more than ${String(MAX_TOOLS)} would be a tool that nobody can describe. ` +
        'Name those that belong together.',
    })),
  );
}

/** What the tools say and their draft does not. */
export function lostNotes(tools: readonly ToolSpec[]): readonly string[] {
  const hosts = [...new Set(tools.map(({ host }) => host ?? 'no host'))].sort(byCodePoint);
  const owners = [...new Set(tools.map(({ owner }) => owner ?? 'nobody'))].sort(byCodePoint);
  const calling = tools.filter(({ composite }) => composite !== null).map(({ name }) => name);
  const asking = tools.filter(({ graphql }) => graphql !== null).map(({ name }) => name);
  return [
    ...(hosts.length > 1
      ? [
          `The tools are of several hosts (${hosts.join(', ')}): the draft has none. Name the service that will run it.`,
        ]
      : []),
    ...(owners.length > 1
      ? [`The tools are of several owners (${owners.join(', ')}): the draft has none.`]
      : []),
    ...(calling.length > 0
      ? [
          `${calling.join(', ')}: composite, calls of other tools. The draft carries out none: say what each operation calls.`,
        ]
      : []),
    ...(asking.length > 0
      ? [
          `${asking.join(', ')}: graphql. One tool carries out one operation of a schema, so the draft has none.`,
        ]
      : []),
  ];
}
