import { Bullseye, Button, Checkbox, Toolbar, ToolbarContent, ToolbarGroup } from '@patternfly/react-core';
import { SortByDirection, Table, Tbody, Td, Th, Thead, Tr, type ThProps } from '@patternfly/react-table';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiFault } from '../api/client.ts';
import { useTexts } from '../texts/texts.tsx';
import { Paging, usePaging } from './paging.tsx';
import { useSearchState } from './search-state.ts';
import { Answer, Failure, Nothing } from './states.tsx';

export interface Column<Row> {
  readonly title: string;
  /** What the service calls it where it sorts by it. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
  readonly width?: 10 | 15 | 20 | 25 | 30 | 35 | 40 | 45 | 50;
}

interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor?: string | undefined;
}

interface Asked {
  readonly limit: number;
  readonly cursor?: string;
  /** Of a table whose columns say how they are sorted, as the address has it. */
  readonly sort?: never;
}

interface Given<Row> {
  /** What the table is of: for those who hear it. */
  readonly title: string;
  /** Says what is asked for; another question begins at its first page. */
  readonly question: readonly unknown[];
  readonly ask: (page: Asked) => Promise<Page<Row>>;
  readonly id: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** What stands above the table: fields that the service filters by. */
  readonly filters?: ReactNode;
  readonly nothing: ReactNode;
  /** Where rows can be chosen: which are, by id. Rows of other pages stay chosen. */
  readonly choice?: Choice<Row>;
}

interface Choice<Row> {
  readonly chosen: ReadonlySet<string>;
  readonly choose: (rows: readonly Row[], isChosen: boolean) => void;
  /** Whether this row can be chosen; left out: each can. */
  readonly isChoosable?: (row: Row) => boolean;
  /** What choosing this row is called. */
  readonly label: (row: Row) => string;
}

const limit = 25;

/** A table of records, of which the service filters, sorts and pages: the whole list is never loaded. */
export function Records<Row>({ title, question, ask, id, columns, filters, nothing, choice }: Given<Row>) {
  const [state, set] = useSearchState();
  const { sort } = state;
  const { records } = useTexts();
  const { number, cursor, back, on, first } = usePaging();
  const isSorted = sort !== undefined && columns.some((column) => column.sort !== undefined);
  const asked = {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
    // The word comes from the address: the service says what it does not know.
    ...(isSorted ? { sort: sort as never } : {}),
  };
  const page = useQuery({
    queryKey: [...question, 'page', asked],
    queryFn: () => ask(asked),
    placeholderData: keepPreviousData,
  });
  const next = page.data?.nextCursor;
  const isPaged = number > 1 || next !== undefined;
  const paging = (
    <Paging
      page={number}
      {...(number > 1 ? { back } : {})}
      {...(next !== undefined && !page.isPlaceholderData ? { on: () => on(next) } : {})}
    />
  );
  // A page of an address that was asked otherwise: the list begins anew.
  if (page.error instanceof ApiFault && page.error.code === 'invalid_cursor')
    return <Failure error={page.error} retry={first} />;
  return (
    <>
      {(filters !== undefined || isPaged) && (
        <Toolbar>
          <ToolbarContent>
            {filters}
            {isPaged && <ToolbarGroup align={{ default: 'alignEnd' }}>{paging}</ToolbarGroup>}
          </ToolbarContent>
        </Toolbar>
      )}
      <Answer of={page}>
        {({ items }) =>
          items.length === 0 ? (
            number === 1 ? (
              nothing
            ) : (
              <Nothing
                title={records.emptyPage}
                action={<Button onClick={first}>{records.toFirst}</Button>}
              />
            )
          ) : (
            <Rows
              {...{ title, items, id, columns, choice, sort }}
              sortBy={(wanted) => set({ sort: wanted })}
              isBusy={page.isPlaceholderData}
            />
          )
        }
      </Answer>
      {/* Something in the address that the service does not take: asked again it would say the same. */}
      {page.data === undefined && page.error instanceof ApiFault && page.error.status === 400 && (
        <Bullseye>
          <Button
            variant="link"
            onClick={() =>
              set({
                ...Object.fromEntries(Object.keys(state).map((name) => [name, undefined])),
                tab: state['tab'],
              })
            }
          >
            {records.clear}
          </Button>
        </Bullseye>
      )}
    </>
  );
}

type Shown<Row> = Pick<Given<Row>, 'title' | 'id' | 'columns'> & {
  readonly items: readonly Row[];
  readonly choice: Choice<Row> | undefined;
  readonly sort: string | undefined;
  readonly sortBy: (sort: string) => void;
  readonly isBusy: boolean;
};

function Rows<Row>({ title, items, id, columns, choice, sort, sortBy, isBusy }: Shown<Row>) {
  const { records } = useTexts();
  const isChoosable = (row: Row): boolean => choice?.isChoosable?.(row) ?? true;
  const choosable = items.filter(isChoosable);
  return (
    <Table variant="compact" aria-label={title} aria-busy={isBusy}>
      <Thead>
        <Tr>
          {choice !== undefined && (
            <Th>
              <Checkbox
                id="choose-all"
                aria-label={records.selectAll}
                isDisabled={choosable.length === 0}
                isChecked={choosable.length > 0 && choosable.every((row) => choice.chosen.has(id(row)))}
                onChange={(_, isChosen) => choice.choose(choosable, isChosen)}
              />
            </Th>
          )}
          {columns.map((column, index) => (
            <Th
              key={column.title}
              modifier="wrap"
              {...(column.width === undefined ? {} : { width: column.width })}
              {...(column.sort === undefined ? {} : { sort: sortingOf(column.sort, index, sort, sortBy) })}
            >
              {column.title}
            </Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {items.map((row) => (
          <Tr key={id(row)}>
            {choice !== undefined && (
              <Td>
                <Checkbox
                  id={`choose-${id(row)}`}
                  aria-label={choice.label(row)}
                  isDisabled={!isChoosable(row)}
                  isChecked={choice.chosen.has(id(row))}
                  onChange={(_, isChosen) => choice.choose([row], isChosen)}
                />
              </Td>
            )}
            {columns.map((column) => (
              <Td key={column.title} dataLabel={column.title}>
                {column.cell(row)}
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

/** How the head of a column shows and changes what is sorted by. */
function sortingOf(
  name: string,
  columnIndex: number,
  sort: string | undefined,
  sortBy: (sort: string) => void,
): ThProps['sort'] {
  const isDescending = sort === `-${name}`;
  return {
    columnIndex,
    sortBy:
      sort === name || isDescending ? { index: columnIndex, direction: isDescending ? 'desc' : 'asc' } : {},
    onSort: (_, __, direction) => sortBy(direction === SortByDirection.desc ? `-${name}` : name),
  };
}

/** That a list has nothing: where something is filtered by, because of that. */
export function NothingFound({
  isFiltered,
  clear,
  title,
  children,
  action,
}: {
  readonly isFiltered: boolean;
  readonly clear: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  const { records } = useTexts();
  if (!isFiltered)
    return (
      <Nothing title={title} action={action}>
        {children}
      </Nothing>
    );
  return (
    <Nothing
      title={records.nothing}
      action={
        <Button variant="link" onClick={clear}>
          {records.clear}
        </Button>
      }
    >
      {records.nothingMend}
    </Nothing>
  );
}
