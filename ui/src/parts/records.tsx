import {
  Button,
  Checkbox,
  Flex,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useFormats, useTexts } from '../texts/texts.tsx';
import { Answer, Nothing } from './states.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly width?: 10 | 15 | 20 | 25 | 30 | 35 | 40 | 45 | 50;
}

interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor?: string | undefined;
}

interface Given<Row> {
  /** What the table is of: for those who hear it. */
  readonly title: string;
  /** Says what is asked for; another question begins at its first page. */
  readonly question: readonly unknown[];
  readonly ask: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Row>>;
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
  /** What choosing this row is called. */
  readonly label: (row: Row) => string;
}

const limit = 25;

/** A table of records, of which the service filters and pages: the whole list is never loaded. */
export function Records<Row>({ title, question, ask, id, columns, filters, nothing, choice }: Given<Row>) {
  const key = JSON.stringify(question);
  const [place, setPlace] = useState<{ key: string; cursors: readonly string[] }>({ key, cursors: [] });
  const cursors = place.key === key ? place.cursors : [];
  const cursor = cursors.at(-1);
  const page = useQuery({
    queryKey: [...question, 'page', cursor ?? ''],
    queryFn: () => ask({ limit, ...(cursor === undefined ? {} : { cursor }) }),
    placeholderData: keepPreviousData,
  });
  const next = page.data?.nextCursor;
  const paging = (
    <Paging
      page={cursors.length + 1}
      {...(cursors.length > 0 ? { back: () => setPlace({ key, cursors: cursors.slice(0, -1) }) } : {})}
      {...(next !== undefined && !page.isPlaceholderData
        ? { on: () => setPlace({ key, cursors: [...cursors, next] }) }
        : {})}
    />
  );
  const isPaged = cursors.length > 0 || next !== undefined;
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
            nothing
          ) : (
            <Rows {...{ title, items, id, columns, choice }} isBusy={page.isPlaceholderData} />
          )
        }
      </Answer>
    </>
  );
}

type Shown<Row> = Pick<Given<Row>, 'title' | 'id' | 'columns'> & {
  readonly items: readonly Row[];
  readonly choice: Choice<Row> | undefined;
  readonly isBusy: boolean;
};

function Rows<Row>({ title, items, id, columns, choice, isBusy }: Shown<Row>) {
  const { records } = useTexts();
  return (
    <Table variant="compact" aria-label={title} aria-busy={isBusy}>
      <Thead>
        <Tr>
          {choice !== undefined && (
            <Th>
              <Checkbox
                id="choose-all"
                aria-label={records.selectAll}
                isChecked={items.every((row) => choice.chosen.has(id(row)))}
                onChange={(_, isChosen) => choice.choose(items, isChosen)}
              />
            </Th>
          )}
          {columns.map((column) => (
            <Th key={column.title} {...(column.width === undefined ? {} : { width: column.width })}>
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

function Paging({
  page,
  back,
  on,
}: {
  readonly page: number;
  readonly back?: () => void;
  readonly on?: () => void;
}) {
  const { records } = useTexts();
  const { number } = useFormats();
  return (
    <ToolbarItem>
      <Flex gap={{ default: 'gapSm' }} alignItems={{ default: 'alignItemsCenter' }}>
        <Button variant="secondary" size="sm" isDisabled={back === undefined} onClick={back}>
          {records.back}
        </Button>
        <span aria-live="polite">{records.page(number(page))}</span>
        <Button variant="secondary" size="sm" isDisabled={on === undefined} onClick={on}>
          {records.on}
        </Button>
      </Flex>
    </ToolbarItem>
  );
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
