import {
  Button,
  FormSelect,
  FormSelectOption,
  InputGroup,
  InputGroupItem,
  Label,
  LabelGroup,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../api/client.ts';
import { useHost } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { Answer } from './states.tsx';

type Taxonomy = Of<'EndpointTaxonomy'>;
type Selection = Of<'PutEndpointTaxonomyRequest'>;

interface Given {
  readonly entityType: Taxonomy['entityType'];
  readonly id: string;
  readonly read: () => Promise<Taxonomy>;
  /** Writes the whole selection over the version that it was read from. */
  readonly write: (selection: Selection, over: { readonly 'If-Match': string }) => Promise<unknown>;
}

interface Term {
  readonly id: string;
  readonly name: string;
}

/** The tags and categories of a record, taken away and added one by one, each saved at once. */
export function Classification({ entityType, id, read, write }: Given) {
  const { taxonomy } = useTexts();
  const hostId = useHost();
  const selected = useQuery({ queryKey: ['taxonomy of', hostId, entityType, id], queryFn: read });
  const known = useTerms(entityType);
  const save = useMutation({
    mutationFn: ({ selection, over }: { readonly selection: Selection; readonly over: number }) =>
      write(selection, { 'If-Match': `"${String(over)}"` }),
  });
  return (
    <Answer of={selected}>
      {(found) => {
        const tags = found.tags.map(({ tagId, tagName }) => ({ id: tagId, name: tagName }));
        const categories = found.categories.map((one) => ({ id: one.categoryId, name: one.categoryName }));
        const put = (changed: { readonly tags?: readonly Term[]; readonly categories?: readonly Term[] }) =>
          save.mutate({
            over: found.aggregateVersion,
            selection: {
              tagIds: (changed.tags ?? tags).map((term) => term.id),
              categoryIds: (changed.categories ?? categories).map((term) => term.id),
            },
          });
        return (
          <div className="portal-stack">
            <Terms
              title={taxonomy.tags}
              chosen={tags}
              known={known.data?.tags ?? []}
              put={(terms) => put({ tags: terms })}
            />
            <Terms
              title={taxonomy.categories}
              chosen={categories}
              known={known.data?.categories ?? []}
              put={(terms) => put({ categories: terms })}
            />
          </div>
        );
      }}
    </Answer>
  );
}

/** The first hundred tags and categories that there are for this kind of thing. */
function useTerms(entityType: Taxonomy['entityType']) {
  const hostId = useHost();
  return useQuery({
    queryKey: ['terms to choose', hostId, entityType],
    queryFn: async () => {
      const params = { path: { hostId }, query: { entityType, limit: 100 } };
      const [tags, categories] = await Promise.all([
        given(api.GET('/v1/hosts/{hostId}/tags', { params })),
        given(api.GET('/v1/hosts/{hostId}/categories', { params })),
      ]);
      return {
        tags: tags.items.map(({ tagId, tagName }) => ({ id: tagId, name: tagName })),
        categories: categories.items.map((one) => ({ id: one.categoryId, name: one.categoryName })),
      };
    },
  });
}

function Terms({
  title,
  chosen,
  known,
  put,
}: {
  readonly title: string;
  readonly chosen: readonly Term[];
  readonly known: readonly Term[];
  readonly put: (terms: readonly Term[]) => void;
}) {
  const { taxonomy, records } = useTexts();
  const [picked, pick] = useState('');
  const others = known.filter((term) => chosen.every(({ id }) => id !== term.id));
  const wanted = others.find(({ id }) => id === picked);
  return (
    <div className="portal-stack">
      <strong>{title}</strong>
      {chosen.length === 0 ? (
        <span className="portal-subtle">{taxonomy.noneChosen}</span>
      ) : (
        <LabelGroup aria-label={title} numLabels={20}>
          {chosen.map((term) => (
            <Label
              key={term.id}
              variant="outline"
              closeBtnAriaLabel={taxonomy.takeAway(term.name)}
              onClose={() => put(chosen.filter(({ id }) => id !== term.id))}
            >
              {term.name}
            </Label>
          ))}
        </LabelGroup>
      )}
      {others.length > 0 && (
        <InputGroup className="portal-short">
          <InputGroupItem isFill>
            <FormSelect
              aria-label={taxonomy.addTo(title)}
              value={wanted?.id ?? ''}
              onChange={(_, id) => pick(id)}
            >
              <FormSelectOption value="" label={taxonomy.addTo(title)} />
              {others.map((term) => (
                <FormSelectOption key={term.id} value={term.id} label={term.name} />
              ))}
            </FormSelect>
          </InputGroupItem>
          {wanted !== undefined && (
            <Button variant="control" onClick={() => put([...chosen, wanted])}>
              {records.add}
            </Button>
          )}
        </InputGroup>
      )}
    </div>
  );
}
