import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import EllipsisVIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon';
import { useState } from 'react';
import { base } from '../api/client.ts';
import { useTexts } from '../texts/texts.tsx';
import { notify } from './notices.tsx';

interface Action {
  readonly title: string;
  readonly run: () => void;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
}

interface Given {
  readonly actions: readonly Action[];
  /** Where the service has what the page shows, from the root on: to be asked for from a command line. */
  readonly record?: string;
}

/** What is done seldom: behind one button, so that the page has one that stands out. */
export function MoreActions({ actions, record }: Given) {
  const { more, records } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(() => notify('success', records.copied));
  const all: readonly Action[] = [
    ...actions,
    ...(record === undefined ? [] : [{ title: more.curl, run: () => copy(asCurl(record)) }]),
  ];
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      popperProps={{ position: 'right' }}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plain"
          aria-label={more.title}
          isExpanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          icon={<EllipsisVIcon />}
        />
      )}
    >
      <DropdownList>
        {all.map(({ title, run, isDanger = false, isDisabled = false }) => (
          <DropdownItem
            key={title}
            {...{ isDanger, isDisabled }}
            onClick={() => {
              setOpen(false);
              run();
            }}
          >
            {title}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}

function asCurl(record: string): string {
  return `curl -H "authorization: Bearer $TOKEN" '${base}${record}'`;
}
