import { Screen } from '../../parts/screen.tsx';
import { Sections } from '../../parts/sections.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { DataSets } from './data-sets.tsx';
import { Runs } from './runs.tsx';
import { Trial } from './trial.tsx';

/** What is found for a prompt and why, and how well that goes over many. */
export default function Search() {
  const { searching } = useTexts();
  return (
    <Screen title={searching.title} lead={searching.lead}>
      <Sections
        of={[
          ['try', searching.trial, () => <Trial />],
          ['evaluation', searching.evaluations, () => <Runs />],
          ['sets', searching.dataSets, () => <DataSets />],
        ]}
      />
    </Screen>
  );
}
