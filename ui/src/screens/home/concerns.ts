import type { Of } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import type { Texts } from '../../texts/words.ts';

type Waiting = Of<'Overview'>['waiting'];
type Kind<Name extends keyof Waiting> = NonNullable<Waiting[Name]>;

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
  /** What is done about each. */
  readonly mend: string;
}

interface Said {
  readonly subject: string;
  readonly home: Texts['home'];
  readonly number: (value: number) => string;
}

/** Everything that waits or is broken, kind by kind, in words. */
export function useConcerns(waiting: Waiting): readonly Concern[] {
  const { home } = useTexts();
  const { number } = useFormats();
  const { subject } = useSession();
  const said = { home, number, subject };
  return [
    ...(waiting.reviews === undefined ? [] : [reviews(waiting.reviews, said)]),
    ...(waiting.changedTools === undefined ? [] : [changedTools(waiting.changedTools, said)]),
    ...(waiting.gateways === undefined ? [] : [drift(waiting.gateways, said)]),
    ...(waiting.skills === undefined ? [] : [skills(waiting.skills, said)]),
    ...(waiting.conflicts === undefined ? [] : [conflicts(waiting.conflicts, said)]),
    ...(waiting.evaluations === undefined ? [] : [evaluations(waiting.evaluations, said)]),
    ...(waiting.webhooks === undefined ? [] : [deliveries(waiting.webhooks, said)]),
  ].filter(({ items, hasMore }) => items.length > 0 || hasMore);
}

/** Versions in review; of each, whether this user is kept from approving it, and what is missing. */
function reviews({ items, more }: Kind<'reviews'>, { home, subject }: Said): Concern {
  return {
    ...{ title: home.reviews, lead: home.reviewsLead, all: '/desk', hasMore: more, mend: home.review },
    items: items.map(({ toolId, name, version, authors, evaluated, reach }) => ({
      ...{ id: `${toolId} ${version}`, title: `${name} ${version}` },
      to: `/tools/${toolId}/versions/${version}`,
      detail: [
        home.reaches(reach.skills, reach.agents),
        authors.includes(subject) ? home.writtenByYou : home.writtenBy(authors.join(', ')),
        ...(evaluated === false ? [home.evaluationFailed] : []),
        ...(evaluated === null ? [home.notEvaluated] : []),
      ].join(' '),
    })),
  };
}

function changedTools({ items, more }: Kind<'changedTools'>, { home }: Said): Concern {
  return {
    ...{ title: home.changedTools, lead: home.changedToolsLead, all: '/tools?changed=true' },
    ...{ hasMore: more, mend: home.look },
    items: items.map(({ toolId, name, withheld }) => ({
      ...{ id: toolId, to: `/tools/${toolId}`, title: name },
      detail: withheld ? home.withheld : home.notWithheld,
    })),
  };
}

function conflicts({ items, more }: Kind<'conflicts'>, { home }: Said): Concern {
  return {
    ...{ title: home.conflicts, lead: home.conflictsLead, all: '/endpoints?conflict=true' },
    ...{ hasMore: more, mend: home.settle },
    items: items.map(({ endpointId, name, apiId, endpoint }) => ({
      ...{ id: endpointId, to: `/endpoints/${endpointId}`, title: name, detail: `${apiId} · ${endpoint}` },
    })),
  };
}

/** Names of tools that are said of one gateway. */
const NAMED = 6;

function drift({ items, more }: Kind<'gateways'>, { home, number }: Said): Concern {
  return {
    ...{ title: home.drift, all: '/gateways', hasMore: more, mend: home.seeDrift },
    items: items.map(({ gatewayId, serviceId, envTag, failure, toolNames }) => {
      const named = toolNames.length > NAMED ? [...toolNames.slice(0, NAMED), '…'] : toolNames;
      return {
        ...{ id: gatewayId, to: `/gateways/${gatewayId}?tab=drift`, title: `${serviceId} · ${envTag}` },
        detail: failure ?? home.findings(toolNames.length, number(toolNames.length), named),
      };
    }),
  };
}

function skills({ items, more }: Kind<'skills'>, { home }: Said): Concern {
  return {
    ...{ title: home.skillFaults, lead: home.skillFaultsLead, hasMore: more, mend: home.mend },
    items: items.map(({ skillId, name, tools, agents }) => ({
      ...{ id: skillId, to: `/skills/${skillId}?tab=tools`, title: name },
      detail: home.notCallable(
        tools.map(({ toolName, problems }) => {
          const reasons = problems.map(({ code }) => home.problems[code] ?? home.otherProblem);
          return `${toolName} (${[...new Set(reasons)].join(', ')})`;
        }),
        agents.map((agent) => agent.name),
      ),
    })),
  };
}

function evaluations({ items, more }: Kind<'evaluations'>, { home, number }: Said): Concern {
  return {
    ...{ title: home.failingEvaluations, all: '/search?tab=evaluation', hasMore: more, mend: home.seeRun },
    items: items.map(({ id, dataSet, hit1, before, forbiddenHits }) => ({
      ...{ id, to: `/evaluations/${id}`, title: dataSet === '' ? home.ownPrompts : dataSet },
      detail: [
        ...(before !== null && hit1 < before
          ? [home.foundLess(number(100 * hit1), number(100 * before))]
          : []),
        ...(forbiddenHits > 0 ? [home.foundForbidden(forbiddenHits, number(forbiddenHits))] : []),
      ].join(' '),
    })),
  };
}

function deliveries({ items, more }: Kind<'webhooks'>, { home, number }: Said): Concern {
  return {
    ...{ title: home.failedDeliveries, all: '/webhooks', hasMore: more, mend: home.deliver },
    items: items.map(({ webhookId, url, count, lastError }) => ({
      ...{ id: webhookId, to: `/webhooks/${webhookId}?state=dead`, title: url },
      detail: `${home.givenUp(count, number(count))} ${lastError ?? ''}`,
    })),
  };
}
