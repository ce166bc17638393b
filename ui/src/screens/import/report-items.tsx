import { Flex, Label } from '@patternfly/react-core';
import { ExpandableRowContent, Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useState } from 'react';
import type { Of } from '../../api/client.ts';
import { Diff } from '../../parts/diff.tsx';
import { GradeLabel } from '../../parts/labels.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

type Item = Of<'ImportReport'>['items'][number];

/** So many rows say enough of a large document; the counts are of all. */
const MAX_ROWS = 200;

const colours = {
  added: 'green',
  changed: 'blue',
  unchanged: 'grey',
  reactivated: 'teal',
  deactivated: 'orange',
} as const;

/** What becomes of each endpoint: what breaks first, then what else changes; a row opens to what differs. */
export function ReportItems({ items, title }: { readonly items: readonly Item[]; readonly title: string }) {
  const { importing } = useTexts();
  const { number } = useFormats();
  // Of a first import there is nothing to compare with.
  const opens = items.some(({ changes, grades }) => changes.length > 0 || Object.keys(grades).length > 0);
  const sorted = [...items].sort((a, b) => rank(a) - rank(b));
  return (
    <>
      <Table variant="compact" aria-label={title}>
        <Thead>
          <Tr>
            {opens && <Th screenReaderText={importing.details} />}
            <Th>{importing.endpoint}</Th>
            <Th>{importing.name}</Th>
            <Th modifier="nowrap">{importing.change}</Th>
            {opens && <Th modifier="wrap">{importing.grade}</Th>}
          </Tr>
        </Thead>
        {sorted.slice(0, MAX_ROWS).map((item, index) => (
          <Row key={item.endpoint} item={item} index={index} opens={opens} />
        ))}
      </Table>
      {items.length > MAX_ROWS && (
        <p className="portal-subtle">{importing.firstOnly(number(MAX_ROWS), number(items.length))}</p>
      )}
    </>
  );
}

function rank({ breaking, change }: Item): number {
  if (breaking) return 0;
  return change === 'unchanged' ? 2 : 1;
}

interface RowGiven {
  readonly item: Item;
  readonly index: number;
  /** Whether rows of this table open. */
  readonly opens: boolean;
}

function Row({ item, index, opens }: RowGiven) {
  const { importing, changes } = useTexts();
  const [isOpen, open] = useState(false);
  const { endpoint, name, change, grades, changes: differences } = item;
  const expand =
    differences.length === 0
      ? {}
      : { expand: { rowIndex: index, isExpanded: isOpen, onToggle: () => open(!isOpen) } };
  return (
    <Tbody isExpanded={isOpen}>
      <Tr>
        {opens && <Td {...expand} />}
        <Td dataLabel={importing.endpoint}>
          <code>{endpoint}</code>
        </Td>
        <Td dataLabel={importing.name}>{name}</Td>
        <Td dataLabel={importing.change}>
          <Label isCompact color={colours[change]}>
            {changes[change]}
          </Label>
        </Td>
        {opens && (
          <Td dataLabel={importing.grade}>
            <Flex gap={{ default: 'gapXs' }}>
              {[...new Set(Object.values(grades))].map((grade) => (
                <GradeLabel key={grade} grade={grade} />
              ))}
            </Flex>
          </Td>
        )}
      </Tr>
      {isOpen && (
        <Tr isExpanded>
          <Td />
          <Td colSpan={4}>
            <ExpandableRowContent>
              {differences.map((difference) => (
                <Difference key={`${difference.field} ${difference.at}`} {...difference} />
              ))}
            </ExpandableRowContent>
          </Td>
        </Tr>
      )}
    </Tbody>
  );
}

function Difference({ field, at, grade, before, after }: Item['changes'][number]) {
  return (
    <div className="portal-stack">
      <p>
        <code>
          {field}
          {at}
        </code>{' '}
        <GradeLabel grade={grade} />
      </p>
      <Diff before={before} after={after} />
    </div>
  );
}
