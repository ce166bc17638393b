import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useSearchState } from './search-state.ts';

/** Its key in the address, its title, and what it shows, made when it is first opened. */
export type Section = readonly [key: string, title: string, content: () => ReactNode];

/**
 * The parts of a record's page, one at a time; which one stands in the address, and the first where none does. What was
 * typed in one stays there while another is open.
 */
export function Sections({ of: sections }: { readonly of: readonly Section[] }) {
  const [{ tab = sections[0]?.[0] }, set] = useSearchState();
  return (
    <Tabs activeKey={tab} mountOnEnter onSelect={(_, key) => set({ tab: String(key) })}>
      {sections.map(([key, title, content]) => (
        <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>}>
          <div className="portal-section">{content()}</div>
        </Tab>
      ))}
    </Tabs>
  );
}
