import type { Of } from '../../api/client.ts';

export type Link = Of<'AgentSkill'>;

/** What was arranged and is not saved yet. An empty priority is one that is being typed. */
export interface Draft {
  /** Ids of skills, as they shall be read. */
  readonly order?: readonly string[];
  readonly priorities: ReadonlyMap<string, number | ''>;
}

/** The assignments as the agent reads them: by place, then by priority, then by name. */
export function asRead(links: readonly Link[]): readonly Link[] {
  return [...links].sort(
    (a, b) => a.sequenceId - b.sequenceId || b.priority - a.priority || (a.skillName < b.skillName ? -1 : 1),
  );
}

/** In the order of the ids. What has none, as others have assigned it meanwhile, comes last. */
export function arranged(links: readonly Link[], order: readonly string[] | undefined): readonly Link[] {
  if (order === undefined) return links;
  const place = new Map(order.map((skillId, index) => [skillId, index]));
  const placeOf = ({ skillId }: Link): number => place.get(skillId) ?? order.length;
  return [...links].sort((a, b) => placeOf(a) - placeOf(b));
}

export function moved<Each>(list: readonly Each[], from: number, to: number): readonly Each[] {
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}

export interface Change {
  readonly skillId: string;
  /** The version that it is written over. */
  readonly version: number;
  readonly body: { readonly sequenceId?: number; readonly priority?: number };
}

/** What has to be written, and no more: the places that there are stay, and go to the skills in their new order. */
export function changesOf(links: readonly Link[], draft: Draft): readonly Change[] {
  const wanted = arranged(links, draft.order);
  const isMoved = wanted.some((link, index) => link !== links[index]);
  let last = -Infinity;
  return wanted.flatMap(({ skillId, aggregateVersion, sequenceId, priority }, index) => {
    last = Math.max(links[index]?.sequenceId ?? index, last + 1);
    const typed = draft.priorities.get(skillId);
    const body = {
      ...(isMoved && last !== sequenceId && { sequenceId: last }),
      ...(typeof typed === 'number' && typed !== priority && { priority: typed }),
    };
    return Object.keys(body).length === 0 ? [] : [{ skillId, version: aggregateVersion, body }];
  });
}
