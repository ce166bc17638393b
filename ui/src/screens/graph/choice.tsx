import { Toolbar, ToolbarContent } from '@patternfly/react-core';
import { ChoiceFilter } from '../../parts/filters.tsx';
import type { useSearchState } from '../../parts/search-state.ts';
import { useTexts } from '../../texts/texts.tsx';

type State = ReturnType<typeof useSearchState>;

/** How far around, and which kind of neighbours alone. */
export function Choice({ state, set }: { readonly state: State[0]; readonly set: State[1] }) {
  const { graph } = useTexts();
  return (
    <Toolbar>
      <ToolbarContent>
        <ChoiceFilter
          {...{ name: 'hops', label: graph.hops, value: state['hops'], set, choices: graph.hopsChoices }}
        />
        <ChoiceFilter
          {...{ name: 'only', label: graph.everyKind, value: state['only'], set, choices: graph.kinds }}
        />
      </ToolbarContent>
    </Toolbar>
  );
}
