import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter, WordsFilter } from '../../parts/filters.tsx';
import { ActiveLabel, TagLabels } from '../../parts/labels.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

export default function Skills() {
  const { skills, records } = useTexts();
  const hostId = useHost();
  const [{ q, active }, set] = useSearchState();
  const add = <GoTo to="/skills/new">{skills.add}</GoTo>;
  return (
    <Screen title={skills.title} lead={skills.lead} actions={add}>
      <Records
        title={skills.title}
        question={['skills', hostId, q, active]}
        ask={(page) => {
          const query = { ...page, q, active: (active ?? 'all') as 'all' };
          return given(api.GET('/v1/hosts/{hostId}/skills', { params: { path: { hostId }, query } }));
        }}
        id={({ skillId }) => skillId}
        columns={[
          {
            title: skills.name,
            sort: 'name',
            width: 25,
            cell: ({ skillId, name }) => <To to={`/skills/${skillId}`}>{name}</To>,
          },
          { title: skills.description, width: 35, cell: ({ description }) => description },
          { title: skills.version, cell: ({ version }) => version },
          {
            title: skills.tags,
            cell: ({ categories, tags }) => <TagLabels names={[...categories, ...tags]} numLabels={2} />,
          },
          { title: skills.state, cell: (skill) => <ActiveLabel isActive={skill.active} /> },
          { title: skills.updated, sort: 'updateTs', cell: ({ updateTs }) => <Moment of={updateTs} /> },
        ]}
        filters={
          <>
            <WordsFilter name="q" label={skills.search} value={q} set={set} />
            <ChoiceFilter
              {...{ name: 'active', label: skills.state, value: active, set }}
              choices={{ true: records.active, false: records.inactive }}
            />
          </>
        }
        nothing={
          <NothingFound
            isFiltered={q !== undefined || active !== undefined}
            clear={() => set({ q: undefined, active: undefined })}
            title={skills.none}
            action={add}
          >
            {skills.noneMend}
          </NothingFound>
        }
      />
    </Screen>
  );
}
