import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { useTiers } from '../../parts/labels.tsx';
import type { useSearchState } from '../../parts/search-state.ts';
import { useFormats, useTexts } from '../../texts/texts.tsx';

interface Given {
  /** What is filtered by, as the address has it. */
  readonly chosen: Readonly<Record<string, string | undefined>>;
  readonly state: Readonly<Record<string, string>>;
  readonly set: ReturnType<typeof useSearchState>[1];
}

/** The filters of endpoints: each value with how many endpoints it would show, as the service counts them. */
export function Facets({ chosen, state, set }: Given) {
  const { endpoints, records } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const tiers = useTiers();
  const counted = useQuery({
    queryKey: ['endpoints', hostId, chosen, 'facets'],
    queryFn: () => {
      // The words come from the address: the service says what it does not know.
      const query = chosen as never;
      return given(api.GET('/v1/hosts/{hostId}/endpoints/facets', { params: { path: { hostId }, query } }));
    },
    placeholderData: keepPreviousData,
  });
  const states = { true: records.active, false: records.inactive };
  const facets = [
    { name: 'apiId', label: endpoints.api },
    { name: 'apiVersionId', label: endpoints.version },
    { name: 'method', label: endpoints.method },
    { name: 'sourceProtocol', label: endpoints.source },
    { name: 'sensitivityTier', label: endpoints.tier, titles: tiers },
    { name: 'domain', label: endpoints.domain },
    { name: 'tag', label: endpoints.tag },
    { name: 'lifecycleStatus', label: endpoints.lifecycle },
    { name: 'active', label: endpoints.state, titles: states, all: records.both },
  ] as const;
  const yesOrNo = { true: records.yes, false: records.no };
  const filters = [
    ...facets.map(({ name, label, ...more }) => {
      const { values = [], more: isCut = false } = counted.data?.facets[name] ?? {};
      const titles: Readonly<Record<string, string>> = 'titles' in more ? more.titles : {};
      const value = state[name];
      // What is chosen stays to be seen where no endpoint has it.
      const isShown = value === undefined || value === 'all' || values.some((each) => each.value === value);
      const choices = [...values, ...(isShown ? [] : [{ value, count: 0 }])].map((each) => [
        each.value,
        `${titles[each.value] ?? each.value} (${number(each.count)})`,
      ]);
      return {
        name,
        label: isCut ? `${label} (${endpoints.more})` : label,
        choices: Object.fromEntries([...choices, ...('all' in more ? [['all', more.all]] : [])]) as Readonly<
          Record<string, string>
        >,
      };
    }),
    { name: 'changed', label: endpoints.changed, choices: yesOrNo },
    { name: 'conflict', label: endpoints.conflict, choices: yesOrNo },
  ];
  return (
    <FilterBar {...{ state, set, filters }} search={endpoints.search}>
      <span aria-live="polite">
        {counted.data !== undefined && endpoints.found(number(counted.data.total))}
      </span>
    </FilterBar>
  );
}
