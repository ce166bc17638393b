import { Grid, GridItem, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Loading } from './states.tsx';

const Editor = lazy(() => import('./markdown-source.tsx'));
const Preview = lazy(() => import('./markdown-preview.tsx'));

interface Given {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

const ways = ['write', 'both', 'read'] as const;

/** Markdown, written beside what it looks like. The editor is loaded when it is needed. */
export function MarkdownEditor({ label, value, change }: Given) {
  const { markdown } = useTexts();
  const [way, setWay] = useState<(typeof ways)[number]>('both');
  return (
    <div className="portal-stack">
      <ToggleGroup isCompact aria-label={label}>
        {ways.map((each) => (
          <ToggleGroupItem
            key={each}
            text={markdown[each]}
            isSelected={way === each}
            onChange={() => setWay(each)}
          />
        ))}
      </ToggleGroup>
      <Suspense fallback={<Loading />}>
        <Grid hasGutter>
          {way !== 'read' && (
            <GridItem lg={way === 'both' ? 6 : 12}>
              <Editor label={label} value={value} change={change} />
            </GridItem>
          )}
          {way !== 'write' && (
            <GridItem lg={way === 'both' ? 6 : 12}>
              <section aria-label={markdown.preview} className="portal-preview" tabIndex={0}>
                <Preview text={value} />
              </section>
            </GridItem>
          )}
        </Grid>
      </Suspense>
    </div>
  );
}
