import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useSearchState } from './search-state.ts';

/** Its key in the address, its title, and what it shows, made when it is first opened. */
export type Section = readonly [key: string, title: string, content: () => ReactNode];

/**
 * The parts of a record's page, one at a time; which one stands in the address, and the first where none does.
 *
 * @param forgets whether a part that is left begins anew when it is opened again; else what was typed there stays
 */
export function Sections({
  of: sections,
  forgets = false,
}: {
  readonly of: readonly Section[];
  readonly forgets?: boolean;
}) {
  const [{ tab = sections[0]?.[0] }, set] = useSearchState();
  return (
    <Tabs
      activeKey={tab}
      mountOnEnter
      unmountOnExit={forgets}
      onSelect={(_, key) => set({ tab: String(key) })}
    >
      {sections.map(([key, title, content]) => (
        <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>}>
          <div className="portal-section">{content()}</div>
        </Tab>
      ))}
    </Tabs>
  );
}
