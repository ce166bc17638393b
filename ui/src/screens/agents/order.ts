import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, ifMatch, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { useLeaveQuestion } from '../../parts/leave-question.ts';
import { notify } from '../../parts/notices.tsx';
import { useTexts } from '../../texts/texts.tsx';

export type Link = Of<'AgentSkill'>;

/** What was arranged and is not saved yet. An empty priority is one that is being typed. */
interface Draft {
  /** Ids of skills, as they shall be read. */
  readonly order?: readonly string[];
  readonly priorities: ReadonlyMap<string, number | ''>;
  /** By id of the skill, as it was when it was first arranged here: what others write from then on is not written over. */
  readonly seen: ReadonlyMap<string, Link>;
}

const untouched: Draft = { priorities: new Map(), seen: new Map() };

const byId = (links: readonly Link[]) => new Map(links.map((link) => [link.skillId, link]));

export async function linksOf(hostId: string, agentDefId: string): Promise<readonly Link[]> {
  const params = { path: { hostId, agentDefId }, query: { limit: 500 } };
  return asRead((await given(api.GET('/v1/hosts/{hostId}/agents/{agentDefId}/skills', { params }))).items);
}

/** The assignments as the agent reads them: by place, then by priority, then by name. */
function asRead(links: readonly Link[]): readonly Link[] {
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

/** Line by line, to be compared. */
export function textOf(links: readonly Link[], priorities: Draft['priorities'] = new Map()): string {
  return links
    .map((link, at) => {
      const priority = priorities.get(link.skillId) ?? link.priority;
      return `${String(at + 1)}. ${link.skillName} (${String(priority)})`;
    })
    .join('\n');
}

interface Change {
  readonly link: Link;
  /** The version that it is written over. */
  readonly over: number;
  readonly body: { readonly sequenceId?: number; readonly priority?: number };
}

/** What has to be written, and no more: the places that there are stay, and go to the skills in their new order. */
function changesOf(links: readonly Link[], draft: Draft): readonly Change[] {
  const wanted = arranged(links, draft.order);
  const isMoved = wanted.some((link, index) => link !== links[index]);
  let last = -Infinity;
  return wanted.flatMap((link, index) => {
    const { skillId, sequenceId, priority } = link;
    last = Math.max(links[index]?.sequenceId ?? index, last + 1);
    const typed = draft.priorities.get(skillId);
    const body = {
      ...(isMoved && last !== sequenceId && { sequenceId: last }),
      ...(typeof typed === 'number' && typed !== priority && { priority: typed }),
    };
    const names = Object.keys(body) as (keyof typeof body)[];
    // Where others wrote something else of it, nobody's words are written over.
    const seen = draft.seen.get(skillId) ?? link;
    const { aggregateVersion: over } = names.every((name) => seen[name] === link[name]) ? link : seen;
    return names.length === 0 ? [] : [{ link, over, body }];
  });
}

/** What is arranged of an agent's skills, until it is saved. */
export function useArrangement(agentDefId: string, links: readonly Link[]) {
  const [draft, setDraft] = useState(untouched);
  const changes = changesOf(links, draft);
  useLeaveQuestion(changes.length > 0);
  // What is arranged while it saves stays.
  const save = useSave(agentDefId, (sent, written) =>
    setDraft((now) => (now === sent ? untouched : { ...now, seen: byId(written) })),
  );
  const touch = (touched: readonly Link[], more: Partial<Draft>) =>
    setDraft({ ...draft, ...more, seen: new Map([...byId(touched), ...draft.seen]) });
  return {
    ...{ draft, changes, save },
    rows: arranged(links, draft.order),
    /** As they were when they were first arranged here. */
    before: asRead(links.map((link) => draft.seen.get(link.skillId) ?? link)),
    place: (rows: readonly Link[]) => touch(links, { order: rows.map(({ skillId }) => skillId) }),
    prioritise: (link: Link, priority: number | '') =>
      touch([link], { priorities: new Map(draft.priorities).set(link.skillId, priority) }),
    drop: () => {
      setDraft(untouched);
      save.reset();
    },
    keepMine: (theirs: readonly Link[]) => {
      const over = { ...draft, seen: byId(theirs) };
      setDraft(over);
      save.mutate({ changes: changesOf(theirs, over), draft: over });
    },
  };
}

/** Writes each over the version that was seen. Where one is refused, those before it are written, and all are read again. */
function useSave(agentDefId: string, done: (sent: Draft, written: readonly Link[]) => void) {
  const { records } = useTexts();
  const hostId = useHost();
  const queries = useQueryClient();
  const queryKey = ['assignments', hostId, agentDefId];
  const reread = () => queries.invalidateQueries({ queryKey });
  return useMutation({
    meta: { quiet: true },
    mutationFn: async ({ changes }: { readonly changes: readonly Change[]; readonly draft: Draft }) => {
      for (const { link, over, body } of changes) {
        const path = { hostId, agentDefId, skillId: link.skillId };
        await given(
          api.PATCH('/v1/hosts/{hostId}/agents/{agentDefId}/skills/{skillId}', {
            params: { path, header: ifMatch(over) },
            body,
          }),
        );
      }
    },
    onSuccess: async (_, { draft }) => {
      await reread();
      done(draft, queries.getQueryData<readonly Link[]>(queryKey) ?? []);
      notify('success', records.saved);
    },
    onError: reread,
  });
}
