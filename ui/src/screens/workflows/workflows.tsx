import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter, WordsFilter } from '../../parts/filters.tsx';
import { ActiveLabel } from '../../parts/labels.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Definitions of workflows, which skills link to. */
export default function Workflows() {
  const { workflows } = useTexts();
  const hostId = useHost();
  const [{ q, lifecycleStatus }, set] = useSearchState();
  const add = <GoTo to="/workflows/new">{workflows.add}</GoTo>;
  return (
    <Screen title={workflows.title} lead={workflows.lead} actions={add}>
      <Records
        title={workflows.title}
        question={['workflows', hostId, q, lifecycleStatus]}
        ask={(page) => {
          const query = { ...page, q, lifecycleStatus: lifecycleStatus as 'DRAFT', active: 'all' as const };
          return given(api.GET('/v1/hosts/{hostId}/workflows', { params: { path: { hostId }, query } }));
        }}
        id={({ wfDefId }) => wfDefId}
        columns={[
          {
            title: workflows.name,
            sort: 'name',
            width: 30,
            cell: ({ wfDefId, name }) => <To to={`/workflows/${wfDefId}`}>{name}</To>,
          },
          { title: workflows.namespace, cell: ({ namespace }) => namespace },
          { title: workflows.version, cell: ({ version }) => version },
          { title: workflows.status, cell: (workflow) => workflows.statuses[workflow.lifecycleStatus] },
          { title: workflows.state, cell: ({ active }) => <ActiveLabel isActive={active} /> },
          { title: workflows.updated, sort: 'updateTs', cell: ({ updateTs }) => <Moment of={updateTs} /> },
        ]}
        filters={
          <>
            <WordsFilter name="q" label={workflows.search} value={q} set={set} />
            <ChoiceFilter
              {...{ name: 'lifecycleStatus', label: workflows.status, value: lifecycleStatus, set }}
              choices={workflows.statuses}
            />
          </>
        }
        nothing={
          <NothingFound
            isFiltered={q !== undefined || lifecycleStatus !== undefined}
            clear={() => set({ q: undefined, lifecycleStatus: undefined })}
            title={workflows.none}
            action={add}
          >
            {workflows.noneMend}
          </NothingFound>
        }
      />
    </Screen>
  );
}
