import {
  Button,
  FormSelect,
  FormSelectOption,
  InputGroup,
  InputGroupItem,
  Label,
  LabelGroup,
} from '@patternfly/react-core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of, ifMatch, type IfMatch } from '../api/client.ts';
import { useHost, useMay } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { Narrow, useNarrowing } from './narrowing.tsx';
import { Answer } from './states.tsx';

type Taxonomy = Of<'EndpointTaxonomy'>;
type Selection = Of<'PutEndpointTaxonomyRequest'>;

interface Given {
  readonly entityType: Taxonomy['entityType'];
  readonly id: string;
  readonly read: () => Promise<Taxonomy>;
  /** Writes the whole selection over the version that it was read from. */
  readonly write: (selection: Selection, over: IfMatch) => Promise<unknown>;
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
  const save = useMutation({
    mutationFn: ({ selection, over }: { readonly selection: Selection; readonly over: number }) =>
      write(selection, ifMatch(over)),
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
              of="tags"
              entityType={entityType}
              put={(terms) => put({ tags: terms })}
            />
            <Terms
              title={taxonomy.categories}
              chosen={categories}
              of="categories"
              entityType={entityType}
              put={(terms) => put({ categories: terms })}
            />
          </div>
        );
      }}
    </Answer>
  );
}

type Kind = 'tags' | 'categories';

/** The first hundred tags or categories that there are for this kind of thing, of those that are asked for. */
function useTerms(kind: Kind, entityType: Taxonomy['entityType'], asked: { readonly q?: string }) {
  const hostId = useHost();
  return useQuery({
    queryKey: ['terms to choose', hostId, kind, entityType, asked],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<{ readonly terms: readonly Term[]; readonly hasMore: boolean }> => {
      const params = { path: { hostId }, query: { entityType, limit: 100, ...asked } };
      if (kind === 'tags') {
        const { items, nextCursor } = await given(api.GET('/v1/hosts/{hostId}/tags', { params }));
        const terms = items.map(({ tagId, tagName }) => ({ id: tagId, name: tagName }));
        return { terms, hasMore: nextCursor !== undefined };
      }
      const { items, nextCursor } = await given(api.GET('/v1/hosts/{hostId}/categories', { params }));
      const terms = items.map((one) => ({ id: one.categoryId, name: one.categoryName }));
      return { terms, hasMore: nextCursor !== undefined };
    },
  });
}

interface TermsGiven {
  readonly title: string;
  readonly of: Kind;
  readonly entityType: Taxonomy['entityType'];
  readonly chosen: readonly Term[];
  readonly put: (terms: readonly Term[]) => void;
}

function Terms({ title, of: kind, entityType, chosen, put }: TermsGiven) {
  const { taxonomy } = useTexts();
  const mayWrite = useMay('catalog:write');
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
              {...(mayWrite && { onClose: () => put(chosen.filter(({ id }) => id !== term.id)) })}
            >
              {term.name}
            </Label>
          ))}
        </LabelGroup>
      )}
      {mayWrite && <AddTerm {...{ title, entityType, chosen, put }} of={kind} />}
    </div>
  );
}

/** One more, of those that it does not have. */
function AddTerm({ title, of: kind, entityType, chosen, put }: TermsGiven) {
  const { taxonomy, records } = useTexts();
  const narrowing = useNarrowing();
  const { terms = [], hasMore = false } = useTerms(kind, entityType, narrowing.asked).data ?? {};
  const [picked, pick] = useState('');
  const others = terms.filter((term) => chosen.every(({ id }) => id !== term.id));
  const wanted = others.find(({ id }) => id === picked);
  return (
    <>
      <Narrow of={narrowing} kind={title} hasMore={hasMore} />
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
    </>
  );
}
