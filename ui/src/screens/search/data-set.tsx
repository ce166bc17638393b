import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { WordsFilter } from '../../parts/filters.tsx';
import { notify } from '../../parts/notices.tsx';
import { cutPage } from '../../parts/paging.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { Removal } from '../../parts/removal.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed, useSearchState } from '../../parts/search-state.ts';
import { Answer } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** One data set: its prompts, and which tools are meant by each. */
export default function DataSet() {
  const hostId = useHost();
  const setName = useAddressed('setName');
  const params = { path: { hostId, setName } };
  const set = useQuery({
    queryKey: ['data set', hostId, setName],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/evaluation-sets/{setName}', { params })),
  });
  return <Answer of={set}>{(found) => <Page set={found} />}</Answer>;
}

function Page({ set }: { readonly set: Of<'EvaluationSet'> }) {
  const { searching } = useTexts();
  const { moment, number } = useFormats();
  const hostId = useHost();
  const navigate = useNavigate();
  const { name, rowCount, updateTs, updateUser } = set;
  const params = { path: { hostId, setName: name } };
  return (
    <Screen
      title={name}
      lead={searching.setLead(number(rowCount), rowCount, `${moment(updateTs)} · ${updateUser}`)}
      above={{ to: '/search?tab=sets', title: searching.dataSets }}
      actions={
        <Removal
          label={searching.removeSet}
          question={searching.removeSetQuestion(name)}
          consequence={searching.removeSetLead}
          remove={() => given(api.DELETE('/v1/hosts/{hostId}/evaluation-sets/{setName}', { params }))}
          done={() => {
            notify('success', searching.setRemoved(name));
            void navigate({ to: '/search', search: { tab: 'sets' } });
          }}
        />
      }
    >
      <Prompts set={set} />
    </Screen>
  );
}

/** A data set comes as a whole: its pages are cut from that. */
function Prompts({ set: { name, updateTs, rows } }: { readonly set: Of<'EvaluationSet'> }) {
  const { searching } = useTexts();
  const [{ words }, set] = useSearchState();
  const wanted = (words ?? '').toLowerCase();
  const found = rows
    .map((row, index) => ({ ...row, index }))
    .filter(({ prompt, expect, forbid = [] }) =>
      [prompt, ...expect, ...forbid].some((text) => text.toLowerCase().includes(wanted)),
    );
  return (
    <Records
      title={searching.prompts}
      question={['data set', name, updateTs, words]}
      ask={(page) => Promise.resolve(cutPage(found, page))}
      id={({ index }) => String(index)}
      columns={[
        { title: searching.prompt, width: 45, cell: ({ prompt }) => prompt },
        { title: searching.expected, cell: ({ expect }) => expect.join(', ') },
        { title: searching.mustNotFind, cell: ({ forbid = [] }) => forbid.join(', ') },
      ]}
      filters={<WordsFilter name="words" label={searching.findPrompt} value={words} set={set} />}
      nothing={
        <NothingFound
          isFiltered={words !== undefined}
          clear={() => set({ words: undefined })}
          title={searching.noSets}
        >
          {searching.noSetsMend}
        </NothingFound>
      }
    />
  );
}
