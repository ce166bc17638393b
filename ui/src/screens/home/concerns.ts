import { api, given, type Of } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import type { Texts } from '../../texts/words.ts';

interface Item {
  readonly id: string;
  /** Where it is mended. */
  readonly to: string;
  readonly title: string;
  readonly detail: string;
}

export interface Concern {
  readonly title: string;
  readonly lead?: string;
  /** Where all of them are listed. */
  readonly all?: string;
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

interface Asking {
  readonly hostId: string;
  readonly subject: string;
  readonly home: Texts['home'];
  readonly number: (value: number) => string;
}

/** The first few of each kind are shown. */
const limit = 5;

/** Everything that waits or is broken, kind by kind, each to be asked for by itself. */
export function useConcerns(): readonly { readonly key: string; readonly ask: () => Promise<Concern> }[] {
  const { home } = useTexts();
  const { number } = useFormats();
  const { host: hostId, subject } = useSession();
  return Object.entries(kinds).map(([key, ask]) => ({
    key,
    ask: () => ask({ hostId, subject, home, number }),
  }));
}

const kinds = {
  reviews,
  'changed tools': changedTools,
  conflicts,
  drift,
  skills,
  evaluations,
  deliveries,
} satisfies Record<string, (asking: Asking) => Promise<Concern>>;

/** Versions in review; of each, whether this user is kept from approving it, and an evaluation that failed. */
async function reviews({ hostId, subject, home }: Asking): Promise<Concern> {
  const params = { path: { hostId }, query: { limit } };
  const { items, nextCursor } = await given(api.GET('/v1/hosts/{hostId}/tool-versions', { params }));
  return {
    ...{ title: home.reviews, lead: home.reviewsLead, all: '/desk', hasMore: nextCursor !== undefined },
    items: items.map(({ toolId, name, toolVersion, authors, evaluated }) => ({
      ...{ id: `${toolId} ${toolVersion}`, title: `${name} ${toolVersion}` },
      to: `/tools/${toolId}?tab=versions&review=${toolVersion}`,
      detail: [
        authors.includes(subject) ? home.writtenByYou : home.writtenBy(authors.join(', ')),
        ...(evaluated === false ? [home.evaluationFailed] : []),
        ...(evaluated === null ? [home.notEvaluated] : []),
      ].join(' '),
    })),
  };
}

async function changedTools({ hostId, home }: Asking): Promise<Concern> {
  const params = { path: { hostId }, query: { changed: true, limit } };
  const { items, nextCursor } = await given(api.GET('/v1/hosts/{hostId}/tools', { params }));
  return {
    ...{ title: home.changedTools, lead: home.changedToolsLead, all: '/tools?changed=true' },
    hasMore: nextCursor !== undefined,
    items: items.map(({ toolId, name, description }) => ({
      ...{ id: toolId, to: `/tools/${toolId}`, title: name, detail: description },
    })),
  };
}

async function conflicts({ hostId, home }: Asking): Promise<Concern> {
  const params = { path: { hostId }, query: { conflict: true, limit } };
  const { items, nextCursor } = await given(api.GET('/v1/hosts/{hostId}/endpoints', { params }));
  return {
    ...{ title: home.conflicts, lead: home.conflictsLead, all: '/endpoints?conflict=true' },
    hasMore: nextCursor !== undefined,
    items: items.map(({ endpointId, name, apiId, endpoint }) => ({
      ...{ id: endpointId, to: `/endpoints/${endpointId}`, title: name, detail: `${apiId} · ${endpoint}` },
    })),
  };
}

/** Most gateways, webhooks and runs that are looked through. */
const looked = 25;

/** What the last kept check of each gateway has found, less what was accepted since. Asks no gateway. */
async function drift({ hostId, home, number }: Asking): Promise<Concern> {
  const params = { path: { hostId }, query: { limit: looked, active: 'true' as const } };
  const { items } = await given(api.GET('/v1/hosts/{hostId}/gateways', { params }));
  const found = await Promise.all(
    items.map(async ({ gatewayId, serviceId, envTag }) => {
      const of = { path: { hostId, gatewayId }, query: { limit: 10 } };
      const history = await given(
        api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}/drift/history', { params: of }),
      );
      const detail = detailOf(history.items, home, number);
      const shown = { id: gatewayId, to: `/gateways/${gatewayId}`, title: `${serviceId} · ${envTag}` };
      return detail === undefined ? [] : [{ ...shown, detail }];
    }),
  );
  const all = found.flat();
  return { title: home.drift, all: '/gateways', items: all.slice(0, limit), hasMore: all.length > limit };
}

/** @param entries of the history, the newest first */
function detailOf(
  entries: readonly Of<'ListedGatewayDriftHistory'>[],
  home: Texts['home'],
  number: (value: number) => string,
): string | undefined {
  const last = entries.findIndex(({ kind }) => kind === 'recorded');
  const check = entries[last];
  if (check === undefined) return undefined;
  if (check.failure !== null) return check.failure.detail;
  const settled = new Set(entries.slice(0, last).flatMap(({ findings }) => findings.map(nameOf)));
  const open = check.findings.filter(
    (finding) => finding.finding !== 'in_sync' && !settled.has(nameOf(finding)),
  );
  return open.length === 0 ? undefined : home.findings(number(open.length), [...new Set(open.map(nameOf))]);
}

function nameOf({ toolName }: Of<'DriftFinding'>): string {
  return toolName;
}

async function skills({ hostId, home }: Asking): Promise<Concern> {
  const params = { path: { hostId }, query: { limit } };
  const { items, nextCursor } = await given(api.GET('/v1/hosts/{hostId}/diagnostics/skills', { params }));
  return {
    ...{ title: home.skillFaults, lead: home.skillFaultsLead, hasMore: nextCursor !== undefined },
    items: items.map(({ skillId, name, tools, agents }) => ({
      ...{ id: skillId, to: `/skills/${skillId}?tab=tools`, title: name },
      detail: home.notCallable(
        tools.map(({ toolName, problems }) => `${toolName} (${problems.map(({ code }) => code).join(', ')})`),
        agents.map((agent) => agent.name),
      ),
    })),
  };
}

/** Of each data set the newest run, where that has found less than the run before it, or what it must not. */
async function evaluations({ hostId, home, number }: Asking): Promise<Concern> {
  const params = { path: { hostId }, query: { limit: looked } };
  const runs = await given(api.GET('/v1/hosts/{hostId}/evaluations', { params }));
  const series = Map.groupBy(
    [...runs.items].sort((one, other) => other.updateTs.localeCompare(one.updateTs)),
    ({ dataSet, agentDefId }) => `${dataSet} ${agentDefId ?? ''}`,
  );
  const failing = [...series.values()].flatMap(([last, former]) => {
    if (last === undefined) return [];
    const { hit1, forbiddenHits } = last.metrics;
    const isWorse = former !== undefined && hit1 < former.metrics.hit1;
    if (!isWorse && forbiddenHits === 0) return [];
    const detail = [
      ...(isWorse ? [home.foundLess(number(100 * hit1), number(100 * former.metrics.hit1))] : []),
      ...(forbiddenHits > 0 ? [home.foundForbidden(number(forbiddenHits))] : []),
    ].join(' ');
    const title = last.dataSet === '' ? home.ownPrompts : last.dataSet;
    return [{ id: last.id, to: `/evaluations/${last.id}`, title, detail }];
  });
  return {
    ...{ title: home.failingEvaluations, all: '/search?tab=evaluation' },
    ...{ items: failing.slice(0, limit), hasMore: failing.length > limit },
  };
}

async function deliveries({ hostId, home, number }: Asking): Promise<Concern> {
  const params = { path: { hostId }, query: { limit: looked, active: 'true' as const } };
  const { items: hooks } = await given(api.GET('/v1/hosts/{hostId}/webhooks', { params }));
  const dead = await Promise.all(
    hooks.map(async ({ webhookId, url }) => {
      const of = { path: { hostId, webhookId }, query: { state: 'dead' as const, limit } };
      const { items } = await given(
        api.GET('/v1/hosts/{hostId}/webhooks/{webhookId}/deliveries', { params: of }),
      );
      return items.map(({ deliveryId, attempts, lastError }) => ({
        ...{ id: deliveryId, to: `/webhooks/${webhookId}?state=dead`, title: url },
        detail: `${home.attempts(number(attempts))}. ${lastError ?? ''}`,
      }));
    }),
  );
  const all = dead.flat();
  return {
    ...{ title: home.failedDeliveries, all: '/webhooks' },
    ...{ items: all.slice(0, limit), hasMore: all.length > limit },
  };
}
