import { Label } from '@patternfly/react-core';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { FilterBar, type Filter } from '../../parts/filter-bar.tsx';
import { ActiveLabel, TierLabel, useTiers } from '../../parts/labels.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NothingFound, Records, type Column } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { chosenOf, useSearchState } from '../../parts/search-state.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

const names = [
  'q',
  'apiId',
  'sensitivityTier',
  'lifecycleStatus',
  'sourceProtocol',
  'active',
  'changed',
  'inReview',
  'conflict',
  'tag',
  'category',
  'domain',
] as const;

/** Every tool, as few at a time as fit on a page. */
export default function Tools() {
  const { tools } = useTexts();
  const hostId = useHost();
  const [state, set] = useSearchState();
  const chosen = chosenOf(state, names);
  const columns = useColumns();
  return (
    <Screen title={tools.title} lead={tools.lead} actions={<GoTo to="/import">{tools.import}</GoTo>}>
      <Records
        title={tools.title}
        question={['tools', hostId, chosen]}
        ask={(page) => {
          // The words come from the address: the service says what it does not know.
          const query = { ...chosen, ...page } as never;
          return given(api.GET('/v1/hosts/{hostId}/tools', { params: { path: { hostId }, query } }));
        }}
        id={({ toolId }) => toolId}
        columns={columns}
        filters={<Filters state={state} set={set} />}
        nothing={
          <NothingFound
            isFiltered={Object.keys(chosen).length > 0}
            clear={() => set(Object.fromEntries(names.map((name) => [name, undefined])))}
            title={tools.none}
            action={<GoTo to="/import">{tools.import}</GoTo>}
          >
            {tools.noneMend}
          </NothingFound>
        }
      />
    </Screen>
  );
}

function useColumns(): readonly Column<Of<'ListedTool'>>[] {
  const { tools } = useTexts();
  return [
    {
      title: tools.name,
      sort: 'name',
      width: 20,
      cell: ({ toolId, name }) => <To to={`/tools/${toolId}`}>{name}</To>,
    },
    { title: tools.description, width: 35, cell: ({ description }) => shortened(description) },
    { title: tools.api, cell: ({ apiId }) => apiId },
    { title: tools.tier, cell: ({ sensitivityTier }) => <TierLabel tier={sensitivityTier} /> },
    {
      title: tools.state,
      cell: ({ active, endpointActive, changed, refusedBy = [] }) => (
        <>
          <ActiveLabel isActive={active && endpointActive !== false} />{' '}
          {changed && (
            <Label isCompact color="orange">
              {tools.changed}
            </Label>
          )}{' '}
          {refusedBy.length > 0 && (
            <Label isCompact color="red">
              {tools.refusedBy(refusedBy.map((provider) => providerNames[provider]).join(', '))}
            </Label>
          )}
        </>
      ),
    },
    { title: tools.updated, sort: 'updateTs', cell: ({ updateTs }) => <Moment of={updateTs} /> },
  ];
}

const providerNames = { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Gemini' } as const;

const MAX_SHOWN = 160;

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function Filters({ state, set }: Pick<Parameters<typeof FilterBar>[0], 'state' | 'set'>) {
  const { tools, endpoints, records } = useTexts();
  const filters: readonly Filter[] = [
    { name: 'apiId', label: tools.api },
    { name: 'sensitivityTier', label: tools.tier, choices: useTiers() },
    {
      name: 'active',
      label: tools.state,
      choices: { true: records.active, false: records.inactive, all: records.both },
    },
    {
      name: 'changed',
      label: tools.attention,
      choices: { true: tools.changed, false: tools.unchanged },
    },
    { name: 'inReview', label: tools.versions, choices: { true: tools.waits } },
    { name: 'domain', label: endpoints.domain },
    { name: 'tag', label: endpoints.tag },
    { name: 'sourceProtocol', label: endpoints.source },
    { name: 'lifecycleStatus', label: endpoints.lifecycle },
  ];
  return <FilterBar {...{ state, set, filters }} search={tools.search} />;
}
