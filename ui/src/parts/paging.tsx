import { Button, Flex, ToolbarItem } from '@patternfly/react-core';
import { useState } from 'react';
import { useFormats, useTexts } from '../texts/texts.tsx';
import { useSearchState } from './search-state.ts';

/** Which page is shown, as the address has it. Back leads to the page before where it was visited, else to the first one. */
export function usePaging() {
  const [{ page = '1', after }, set] = useSearchState();
  const [trail, setTrail] = useState<readonly string[]>([]);
  const number = after === undefined ? 1 : Math.max(Number.parseInt(page, 10) || 2, 2);
  const at = trail.indexOf(after ?? '');
  const to = (wanted: number, cursor: string | undefined) =>
    set(cursor === undefined ? {} : { page: String(wanted), after: cursor });
  return {
    number,
    cursor: after,
    first: () => to(1, undefined),
    back: () => to(at > 0 ? number - 1 : 1, trail[at - 1]),
    on: (next: string) => {
      setTrail([...(at < 0 ? (after === undefined ? [] : [after]) : trail.slice(0, at + 1)), next]);
      to(number + 1, next);
    },
  };
}

/** A page of what was read as a whole: its cursor is the place of the first row; one that is none, the first page. */
export function cutPage<Row>(
  all: readonly Row[],
  { limit, cursor = '0' }: { readonly limit: number; readonly cursor?: string },
): { readonly items: readonly Row[]; readonly nextCursor?: string } {
  const start = Math.max(Number.parseInt(cursor, 10) || 0, 0);
  const end = start + limit;
  return { items: all.slice(start, end), ...(end < all.length && { nextCursor: String(end) }) };
}

/** The way from page to page. */
export function Paging({
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
