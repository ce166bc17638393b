import { Label } from '@patternfly/react-core';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { WordsFilter } from '../../parts/filters.tsx';
import { GradeLabel } from '../../parts/labels.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NothingFound, Records, type Column } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { chosenOf, useSearchState } from '../../parts/search-state.ts';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { PickedVersions } from './picked-versions.tsx';
import { titleOf } from './review/report.ts';

const filters = ['name', 'apiId'] as const;

/** What waits for a review over all tools: looked through, evaluated and approved in one sitting. */
export default function Desk() {
  const { desk, tools } = useTexts();
  const hostId = useHost();
  const [state, set] = useSearchState();
  const chosen = chosenOf(state, filters);
  const columns = useColumns();
  const [picked, setPicked] = useState<ReadonlyMap<string, Of<'WaitingVersion'>>>(new Map());
  const choose = (rows: readonly Of<'WaitingVersion'>[], isChosen: boolean) =>
    setPicked((before) => {
      const ids = new Set(rows.map(idOf));
      const rest = [...before].filter(([id]) => !ids.has(id));
      return new Map(isChosen ? [...rest, ...rows.map((row) => [idOf(row), row] as const)] : rest);
    });
  return (
    <Screen title={desk.title} lead={desk.lead}>
      <Records
        title={desk.title}
        question={['desk', hostId, chosen]}
        ask={(page) => {
          const params = { path: { hostId }, query: { ...chosen, ...page } };
          return given(api.GET('/v1/hosts/{hostId}/tool-versions', { params }));
        }}
        id={idOf}
        columns={columns}
        filters={filters.map((name) => (
          <WordsFilter
            key={name}
            {...{ name, label: tools[name === 'name' ? 'name' : 'api'] }}
            value={state[name]}
            set={set}
          />
        ))}
        choice={{ chosen: new Set(picked.keys()), choose, label: ({ name }) => desk.choose(name) }}
        nothing={
          <NothingFound
            isFiltered={Object.keys(chosen).length > 0}
            clear={() => set(Object.fromEntries(filters.map((name) => [name, undefined])))}
            title={desk.none}
          >
            {desk.noneMend}
          </NothingFound>
        }
      />
      <PickedVersions picked={[...picked.values()]} clear={() => setPicked(new Map())} />
    </Screen>
  );
}

/** One that is written again is another row: it is chosen as it was read, or not. */
function idOf({ toolId, toolVersion, digest }: Of<'WaitingVersion'>): string {
  return `${toolId} ${toolVersion} ${digest}`;
}

function useColumns(): readonly Column<Of<'WaitingVersion'>>[] {
  const { desk, tools } = useTexts();
  const { number } = useFormats();
  return [
    {
      title: tools.name,
      width: 25,
      cell: (version) => (
        <To to={`/tools/${version.toolId}/versions/${version.toolVersion}`}>{titleOf(version)}</To>
      ),
    },
    { title: desk.grade, cell: ({ grade }) => <GradeLabel grade={grade} /> },
    { title: tools.author, cell: ({ authors }) => authors.join(', ') },
    { title: desk.since, width: 15, cell: ({ since }) => <Moment of={since} /> },
    {
      title: desk.reaches,
      width: 15,
      cell: ({ reach: { skills, agents } }) =>
        skills + agents === 0 ? desk.nobody : desk.reach(number(skills), number(agents)),
    },
    {
      title: desk.missing,
      width: 20,
      cell: ({ needs, lint, evaluated }) =>
        needs.length + lint.length === 0 ? (
          <Label isCompact color="green">
            {desk.ready}
          </Label>
        ) : (
          [
            ...needs.map((need) =>
              need === 'evaluation' && evaluated === false ? desk.notPassed : desk.lacks[need],
            ),
            ...(lint.length === 0 ? [] : [desk.lint(number(lint.length))]),
          ].join(', ')
        ),
    },
  ];
}
