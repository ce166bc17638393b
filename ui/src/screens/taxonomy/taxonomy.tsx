import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Sections } from '../../parts/sections.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Categories } from './categories.tsx';
import { entityTypes } from './entity-types.ts';
import { Tags } from './tags.tsx';

/** Categories and tags, of one kind of thing at a time. */
export default function Taxonomy() {
  const { taxonomy } = useTexts();
  const [{ of = '' }, set] = useSearchState();
  const entityType = entityTypes.find((each) => each === of) ?? 'tool';
  return (
    <Screen title={taxonomy.title} lead={taxonomy.lead}>
      <div className="portal-stack">
        <ToggleGroup aria-label={taxonomy.of}>
          {entityTypes.map((each) => (
            <ToggleGroupItem
              key={each}
              text={taxonomy.entityTypes[each]}
              isSelected={each === entityType}
              onChange={() => set({ of: each })}
            />
          ))}
        </ToggleGroup>
        <Sections
          of={[
            [
              'categories',
              taxonomy.categories,
              () => <Categories key={entityType} entityType={entityType} />,
            ],
            ['tags', taxonomy.tags, () => <Tags key={entityType} entityType={entityType} />],
          ]}
        />
      </div>
    </Screen>
  );
}
