import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { WordsFilter } from '../../parts/filters.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

export default function Agents() {
  const { agents } = useTexts();
  const hostId = useHost();
  const [{ q, envTag, skillId, skillName = '' }, set] = useSearchState();
  const wanted = new URLSearchParams({ tab: 'assignment', skillId: skillId ?? '', skillName }).toString();
  // The skill that one of them is to be given is handed on.
  const on = skillId === undefined ? '' : `?${wanted}`;
  const add = <GoTo to={`/agents/new${on}`}>{agents.add}</GoTo>;
  return (
    <Screen title={agents.title} lead={agents.lead} actions={add}>
      <Records
        title={agents.title}
        question={['agents', hostId, q, envTag]}
        ask={(page) => {
          const query = { ...page, q, envTag };
          return given(api.GET('/v1/hosts/{hostId}/agents', { params: { path: { hostId }, query } }));
        }}
        id={({ agentDefId }) => agentDefId}
        columns={[
          {
            title: agents.name,
            sort: 'name',
            width: 25,
            cell: ({ agentDefId, name }) => <To to={`/agents/${agentDefId}${on}`}>{name}</To>,
          },
          { title: agents.service, cell: ({ serviceId }) => serviceId },
          { title: agents.environment, cell: (agent) => agent.envTag },
          { title: agents.tier, cell: ({ maxSensitivityTier }) => <TierLabel tier={maxSensitivityTier} /> },
          { title: agents.state, cell: ({ active }) => <ActiveLabel isActive={active} /> },
          { title: agents.updated, sort: 'updateTs', cell: ({ updateTs }) => <Moment of={updateTs} /> },
        ]}
        filters={
          <>
            <WordsFilter name="q" label={agents.search} value={q} set={set} />
            <WordsFilter name="envTag" label={agents.environment} value={envTag} set={set} />
          </>
        }
        nothing={
          <NothingFound
            isFiltered={q !== undefined || envTag !== undefined}
            clear={() => set({ q: undefined, envTag: undefined })}
            title={agents.none}
            action={add}
          >
            {agents.noneMend}
          </NothingFound>
        }
      />
    </Screen>
  );
}
