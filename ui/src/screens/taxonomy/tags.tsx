import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of, ifMatch } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { WordsFilter } from '../../parts/filters.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { useTexts } from '../../texts/texts.tsx';
import { NamedForm, type Named } from './named-form.tsx';
import { TermActions, TermName } from './term.tsx';
import type { EntityType } from './entity-types.ts';

type Tag = Of<'Tag'>;

/** The tags of one kind of thing. */
export function Tags({ entityType }: { readonly entityType: EntityType }) {
  const { taxonomy } = useTexts();
  const hostId = useHost();
  const [{ q }, set] = useSearchState();
  const [edited, setEdited] = useState<Tag>();
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: ({ name, description }: Named) =>
      given(
        api.POST('/v1/hosts/{hostId}/tags', {
          params: { path: { hostId } },
          body: { entityType, tagName: name, tagDesc: description === '' ? null : description },
        }),
      ),
  });
  const remove = (tagId: string) =>
    given(api.DELETE('/v1/hosts/{hostId}/tags/{tagId}', { params: { path: { hostId, tagId } } }));
  return (
    <div className="portal-stack">
      <Records
        title={taxonomy.tags}
        question={['tags', hostId, entityType, q]}
        ask={(page) =>
          given(
            api.GET('/v1/hosts/{hostId}/tags', {
              params: { path: { hostId }, query: { ...page, entityType, q } },
            }),
          )
        }
        id={({ tagId }) => tagId}
        columns={[
          {
            title: taxonomy.name,
            sort: 'tagName',
            width: 25,
            cell: ({ tagName, hostId: owner }) => <TermName name={tagName} isGlobal={owner === null} />,
          },
          { title: taxonomy.description, width: 40, cell: ({ tagDesc }) => tagDesc },
          { title: taxonomy.updated, sort: 'updateTs', cell: ({ updateTs }) => <Moment of={updateTs} /> },
          {
            title: taxonomy.actions,
            cell: (tag) =>
              tag.hostId !== null && (
                <TermActions
                  name={tag.tagName}
                  edit={() => setEdited(tag)}
                  remove={() => remove(tag.tagId)}
                />
              ),
          },
        ]}
        filters={<WordsFilter name="q" label={taxonomy.search} value={q} set={set} />}
        nothing={
          <NothingFound
            isFiltered={q !== undefined}
            clear={() => set({ q: undefined })}
            title={taxonomy.noTags}
          >
            {taxonomy.noneMend}
          </NothingFound>
        }
      />
      {edited === undefined ? (
        <NamedForm title={taxonomy.newTag} save={add} more={{}} />
      ) : (
        <Edit key={edited.tagId} tag={edited} done={() => setEdited(undefined)} />
      )}
    </div>
  );
}

function Edit({ tag, done }: { readonly tag: Tag; readonly done: () => void }) {
  const { taxonomy } = useTexts();
  const hostId = useHost();
  const { tagId, tagName, tagDesc, aggregateVersion } = tag;
  const save = useMutation({
    meta: { quiet: true },
    mutationFn: ({ name, description }: Named) =>
      given(
        api.PATCH('/v1/hosts/{hostId}/tags/{tagId}', {
          params: { path: { hostId, tagId }, header: ifMatch(aggregateVersion) },
          body: { tagName: name, tagDesc: description === '' ? null : description },
        }),
      ),
    onSuccess: done,
  });
  return (
    <NamedForm
      title={taxonomy.editIt(tagName)}
      name={tagName}
      description={tagDesc ?? ''}
      save={save}
      more={{}}
      cancel={done}
    />
  );
}
