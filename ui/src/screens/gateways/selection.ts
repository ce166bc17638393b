import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useLeaveQuestion } from '../../parts/leave-question.ts';

export type Exposure = Pick<
  Of<'ToolExposure'>,
  'toolId' | 'toolName' | 'toolActive' | 'targetHost' | 'protocol' | 'runtime'
>;

/** A tool that is to be exposed. */
export interface Candidate {
  readonly toolId: string;
  readonly name: string;
  /** Of what it calls; null where it calls nothing that the catalog knows. */
  readonly apiId: string | null;
}

/** Where calls go, and the name of the secret that goes with them; both may be empty. */
export interface Place {
  readonly targetHost: string;
  readonly secret: string;
}

/** Tools that go to one place, those that are there and those that are added; and how that place is called. */
export interface Group {
  readonly key: string;
  readonly title: string;
  readonly place: Place;
  readonly names: readonly string[];
  readonly isNew: boolean;
}

const PAGE = 500;

/** All that a gateway exposes: what is written is always the whole of it. A gateway has at most 5,000 tools. */
export async function exposuresOf(hostId: string, gatewayId: string): Promise<readonly Exposure[]> {
  const all: Exposure[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const { items, nextCursor } = await given(
      api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}/exposures', {
        params: { path: { hostId, gatewayId }, query },
      }),
    );
    all.push(...items);
    if (nextCursor === undefined) return all;
    cursor = nextCursor;
  }
}

/** What is to change of what a gateway exposes, until it is saved. */
export interface Selection {
  readonly added: ReadonlyMap<string, Candidate>;
  readonly removed: ReadonlySet<string>;
  /** Places that were typed, by the key of their group. */
  readonly places: ReadonlyMap<string, Place>;
}

const nothing: Selection = { added: new Map(), removed: new Set(), places: new Map() };

export const isChanged = ({ added, removed, places }: Selection): boolean =>
  added.size > 0 || removed.size > 0 || places.size > 0;

export function useSelection(exposed: ReadonlyMap<string, Exposure>) {
  const [selection, setSelection] = useState(nothing);
  useLeaveQuestion(isChanged(selection));
  return {
    selection,
    choose: (tools: readonly Candidate[], isChosen: boolean) => {
      setSelection((before) => {
        const [added, removed] = [new Map(before.added), new Set(before.removed)];
        for (const tool of tools) {
          if (exposed.has(tool.toolId)) {
            if (isChosen) removed.delete(tool.toolId);
            else removed.add(tool.toolId);
          } else if (isChosen) added.set(tool.toolId, tool);
          else added.delete(tool.toolId);
        }
        return { ...before, added, removed };
      });
    },
    place: (key: string, place: Place) =>
      setSelection((before) => ({ ...before, places: new Map(before.places).set(key, place) })),
    drop: () => setSelection(nothing),
  };
}

export function placeOf({ targetHost, runtime }: Exposure): Place {
  const { auth } = runtime as { readonly auth?: { readonly secret?: unknown } };
  return { targetHost: targetHost ?? '', secret: typeof auth?.secret === 'string' ? auth.secret : '' };
}

const keyOfExposure = (exposure: Exposure): string => `there ${JSON.stringify(placeOf(exposure))}`;
const keyOfCandidate = ({ apiId }: Candidate): string => `added ${apiId ?? ''}`;

/** Where the tools go: what stays by its place, what is added by its API. */
export function groupsOf(
  exposed: readonly Exposure[],
  { added, removed, places }: Selection,
  noApi: string,
): readonly Group[] {
  const groups = new Map<string, Group>();
  const put = (key: string, name: string, group: Omit<Group, 'key' | 'names'>): void => {
    const before = groups.get(key);
    groups.set(key, { ...group, key, names: [...(before?.names ?? []), name] });
  };
  for (const tool of added.values()) {
    const key = keyOfCandidate(tool);
    const place = places.get(key) ?? { targetHost: '', secret: '' };
    put(key, tool.name, { title: tool.apiId ?? noApi, place, isNew: true });
  }
  for (const exposure of exposed.filter(({ toolId }) => !removed.has(toolId))) {
    const key = keyOfExposure(exposure);
    const place = places.get(key) ?? placeOf(exposure);
    put(key, exposure.toolName, { title: placeOf(exposure).targetHost, place, isNew: false });
  }
  return [...groups.values()];
}

type Body = Of<'PutToolExposuresRequest'>['tools'][number];

/** The whole selection, over what is exposed by now. */
export function bodyOf(now: readonly Exposure[], { added, removed, places }: Selection): Body[] {
  const there = new Set(now.map(({ toolId }) => toolId));
  return [
    ...now
      .filter(({ toolId }) => !removed.has(toolId))
      .map((exposure) => entryOf(exposure, places.get(keyOfExposure(exposure)) ?? placeOf(exposure))),
    ...[...added.values()]
      .filter(({ toolId }) => !there.has(toolId))
      .map((tool) => {
        const place = places.get(keyOfCandidate(tool)) ?? { targetHost: '', secret: '' };
        return entryOf({ toolId: tool.toolId, protocol: null, runtime: {} }, place);
      }),
  ];
}

function entryOf(
  { toolId, protocol, runtime }: Pick<Exposure, 'toolId' | 'protocol' | 'runtime'>,
  { targetHost, secret }: Place,
): Body {
  const { auth: _, ...rest } = runtime as Readonly<Record<string, unknown>>;
  const auth = secret.trim() === '' ? {} : { auth: { type: 'bearer', secret: secret.trim() } };
  const address = targetHost.trim();
  return {
    toolId,
    runtime: { ...rest, ...auth } as NonNullable<Body['runtime']>,
    ...(protocol === null ? {} : { protocol }),
    ...(address === '' ? {} : { targetHost: address }),
  };
}
