import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of, ifMatch } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { treeOf } from './category-tree.ts';
import { NamedForm } from './named-form.tsx';
import { TermActions, TermName } from './term.tsx';
import type { EntityType } from './entity-types.ts';

type Category = Of<'Category'>;

/** Most categories of one kind of thing that are shown as a tree. */
const MAX_PAGES = 10;

function useCategories(entityType: EntityType) {
  const hostId = useHost();
  return useQuery({
    queryKey: ['categories', hostId, entityType],
    queryFn: async () => {
      const all: Category[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { entityType, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
        const found = await given(
          api.GET('/v1/hosts/{hostId}/categories', { params: { path: { hostId }, query } }),
        );
        all.push(...found.items);
        cursor = found.nextCursor;
        if (cursor === undefined) break;
      }
      return all;
    },
  });
}

/** The tree of categories; each can be edited, moved below another, or deleted. */
export function Categories({ entityType }: { readonly entityType: EntityType }) {
  const { taxonomy } = useTexts();
  const hostId = useHost();
  const categories = useCategories(entityType);
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: (wanted: Wanted) =>
      given(
        api.POST('/v1/hosts/{hostId}/categories', {
          params: { path: { hostId } },
          body: { entityType, ...bodyOf(wanted) },
        }),
      ),
  });
  return (
    <Answer of={categories}>
      {(found) => (
        <div className="portal-stack">
          {found.length === 0 ? (
            <Nothing title={taxonomy.noCategories}>{taxonomy.noneMend}</Nothing>
          ) : (
            <Tree categories={found} />
          )}
          <CategoryForm categories={found} title={taxonomy.newCategory} save={add} />
        </div>
      )}
    </Answer>
  );
}

interface Wanted {
  readonly name: string;
  readonly description: string;
  readonly parent: string;
}

function bodyOf({ name, description, parent }: Wanted) {
  return {
    categoryName: name,
    categoryDesc: description === '' ? null : description,
    parentCategoryId: parent === '' ? null : parent,
  };
}

function Tree({ categories }: { readonly categories: readonly Category[] }) {
  const { taxonomy } = useTexts();
  const [edited, setEdited] = useState<string>();
  const hostId = useHost();
  const remove = (categoryId: string) =>
    given(
      api.DELETE('/v1/hosts/{hostId}/categories/{categoryId}', { params: { path: { hostId, categoryId } } }),
    );
  const tree = treeOf(categories);
  const chosen = categories.find(({ categoryId }) => categoryId === edited);
  return (
    <>
      <Table variant="compact" aria-label={taxonomy.categories} isTreeTable={false}>
        <Thead>
          <Tr>
            <Th width={30}>{taxonomy.name}</Th>
            <Th width={45}>{taxonomy.description}</Th>
            <Th screenReaderText={taxonomy.actions} />
          </Tr>
        </Thead>
        <Tbody>
          {tree.map(({ category, path }) => (
            <Tr key={category.categoryId}>
              <Td dataLabel={taxonomy.name}>
                {path.length > 0 && <span className="portal-subtle">{path.join(' / ')} / </span>}
                <TermName name={category.categoryName} isGlobal={category.hostId === null} />
              </Td>
              <Td dataLabel={taxonomy.description}>{category.categoryDesc}</Td>
              <Td>
                {category.hostId !== null && (
                  <TermActions
                    name={category.categoryName}
                    edit={() => setEdited(category.categoryId)}
                    remove={() => remove(category.categoryId)}
                  />
                )}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      {chosen !== undefined && (
        <Edit
          key={chosen.categoryId}
          category={chosen}
          categories={categories}
          done={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface Edited {
  readonly category: Category;
  readonly categories: readonly Category[];
  readonly done: () => void;
}

function Edit({ category: found, categories, done }: Edited) {
  const { taxonomy } = useTexts();
  const hostId = useHost();
  // As it was when it was opened: what others write meanwhile is not written over.
  const [category] = useState(found);
  const { categoryId, aggregateVersion } = category;
  const save = useMutation({
    meta: { quiet: true },
    mutationFn: (wanted: Wanted) =>
      given(
        api.PATCH('/v1/hosts/{hostId}/categories/{categoryId}', {
          params: {
            path: { hostId, categoryId },
            header: ifMatch(aggregateVersion),
          },
          body: bodyOf(wanted),
        }),
      ),
    onSuccess: done,
  });
  return (
    <CategoryForm
      categories={categories}
      category={category}
      title={taxonomy.editIt(category.categoryName)}
      save={save}
      cancel={done}
    />
  );
}

interface Form {
  readonly title: string;
  readonly categories: readonly Category[];
  readonly category?: Category;
  readonly save: Parameters<typeof NamedForm<Wanted>>[0]['save'];
  readonly cancel?: () => void;
}

/** Name, description, and what it stands below: never itself, nor what stands below it. */
function CategoryForm({ title, categories, category, save, cancel }: Form) {
  const { taxonomy } = useTexts();
  const [parent, setParent] = useState(category?.parentCategoryId ?? '');
  const id = `category-parent-${category?.categoryId ?? 'new'}`;
  const above = treeOf(categories).filter(
    ({ ids }) => category === undefined || !ids.includes(category.categoryId),
  );
  return (
    <NamedForm<Wanted>
      title={title}
      {...(category === undefined
        ? {}
        : { name: category.categoryName, description: category.categoryDesc ?? '' })}
      save={save}
      more={{ parent }}
      {...(cancel === undefined ? {} : { cancel })}
    >
      <FormGroup label={taxonomy.parent} fieldId={id}>
        <FormSelect id={id} value={parent} onChange={(_, chosen) => setParent(chosen)}>
          <FormSelectOption value="" label={taxonomy.noParent} />
          {above.map(({ category: { categoryId, categoryName }, path }) => (
            <FormSelectOption
              key={categoryId}
              value={categoryId}
              label={[...path, categoryName].join(' / ')}
            />
          ))}
        </FormSelect>
      </FormGroup>
    </NamedForm>
  );
}
