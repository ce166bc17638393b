import { ExpandableSection, List, ListItem, Title } from '@patternfly/react-core';
import { useState, type ReactNode } from 'react';
import { Diff } from '../../../parts/diff.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { namesIn, type Report } from './report.ts';
import { sentenceOf } from './sentences.ts';

/** What the version changes: for callers in sentences, in words side by side, and line by line on demand. */
export function Changes({ report: { findings, texts, schemas, against } }: { readonly report: Report }) {
  const all = useTexts();
  const { review } = all;
  // What differs in words alone is shown as these words.
  const struck = findings.filter(({ grade }) => grade !== 'text');
  return (
    <section className="portal-stack" aria-labelledby="review-changes">
      <Title headingLevel="h2" size="lg" id="review-changes">
        {review.changes}
      </Title>
      {against === null && <p>{review.first}</p>}
      {against !== null && struck.length + texts.length === 0 && <p>{review.nothing}</p>}
      {struck.length > 0 && (
        <List isPlain isBordered>
          {struck.map((finding) => {
            const [of, becomes] = sentenceOf(finding, all);
            return (
              <ListItem key={`${finding.rule} ${finding.pointer}`}>
                {of !== '' && (
                  <code>
                    <strong>{of}</strong>
                  </code>
                )}{' '}
                {becomes} <code className="portal-subtle portal-apart">{finding.rule}</code>
              </ListItem>
            );
          })}
        </List>
      )}
      {against !== null &&
        texts.map(({ pointer, before, after }) => (
          <div key={pointer}>
            <Title headingLevel="h3" size="md">
              <Where pointer={pointer} />
            </Title>
            <Diff before={before} after={after} />
          </div>
        ))}
      {(['input', 'output'] as const).map((side) => {
        const { before, after } = schemas[side];
        if (JSON.stringify(before) === JSON.stringify(after)) return null;
        return (
          <Folded key={side} title={review[side]}>
            <Diff {...{ before, after }} />
          </Folded>
        );
      })}
    </section>
  );
}

/** A place in a spec in words. */
export function Where({ pointer }: { readonly pointer: string }) {
  const { fields, review } = useTexts();
  const [side, ...rest] = pointer.split('/').slice(1);
  const names = namesIn(pointer);
  const words: Readonly<Record<string, string>> = { ...fields, ...review.places };
  if (names.length > 0) return <code>{names.join('.')}</code>;
  const last = rest.pop() ?? side ?? '';
  return <>{words[last] ?? words[side ?? ''] ?? last}</>;
}

function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <ExpandableSection toggleText={title} isExpanded={isOpen} onToggle={(_, open) => setOpen(open)}>
      {isOpen && children}
    </ExpandableSection>
  );
}
