import { Alert, Card, CardBody, CardTitle, ExpandableSection, List, ListItem } from '@patternfly/react-core';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Of } from '../../api/client.ts';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { ReportItems } from './report-items.tsx';

/** So many lines of one kind say enough of a large document; the counts are of all. */
const MAX_LINES = 200;

interface Given {
  readonly report: Of<'ImportReport'>;
  readonly isWritten: boolean;
  /** The API, where a report of what would be made does not name it. */
  readonly apiId?: string;
  /** What can be done next. */
  readonly children?: ReactNode;
}

/** What an import would do, or has done: in sentences first, then endpoint by endpoint. Comes into view by itself. */
export function Report({ report, isWritten, apiId = report.apiId, children }: Given) {
  const { importing } = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'center' });
  }, [isWritten]);
  const title = isWritten ? importing.hasChanged : importing.wouldChange;
  return (
    <Card>
      <CardTitle>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
      </CardTitle>
      <CardBody className="portal-stack">
        <Summary {...{ report, isWritten }} />
        {children}
      </CardBody>
      <CardBody>
        <Findings {...{ report, isWritten, apiId }} />
        <ReportItems items={report.items} title={title} />
      </CardBody>
    </Card>
  );
}

function Summary({ report, isWritten }: Pick<Given, 'report' | 'isWritten'>) {
  const { importing } = useTexts();
  const { number } = useFormats();
  const { added, changed, unchanged, deactivated, reactivated, published = 0, reach } = report;
  const breaking = report.items.filter((item) => item.breaking).length;
  const parts = [
    ...(added > 0 ? [importing.added(number(added))] : []),
    ...(changed > 0 ? [importing.changed(number(changed))] : []),
    ...(breaking > 0 ? [importing.breaking(breaking, number(breaking))] : []),
    ...(deactivated > 0 ? [importing.deactivated(number(deactivated))] : []),
    ...(reactivated > 0 ? [importing.reactivated(number(reactivated))] : []),
    ...(unchanged > 0 ? [importing.unchanged(number(unchanged))] : []),
    ...(published > 0 ? [importing.published(published, number(published), isWritten)] : []),
  ];
  const isStill = added + changed + deactivated + reactivated + published === 0;
  const isFirst = changed + unchanged + deactivated + reactivated === 0;
  const names = [
    ...reach.skills.map(({ skillId, name }) => ({ to: `/skills/${skillId}`, name })),
    ...reach.agents.map(({ agentDefId, name }) => ({ to: `/agents/${agentDefId}`, name })),
  ];
  return (
    <div>
      <p>
        {isStill
          ? importing.nothingChanges
          : `${importing.endpoints(report.total)} ${importing.sentence(parts)}`}
      </p>
      {names.length > 0 && (
        <p>
          {importing.reaches}{' '}
          {names.map(({ to, name }, index) => (
            <span key={to}>
              {index > 0 && ', '}
              <To to={to}>{name}</To>
            </span>
          ))}
          .
        </p>
      )}
      {names.length === 0 && !isFirst && !isStill && <p>{importing.reachesNobody}</p>}
    </div>
  );
}

interface Line {
  readonly text: string;
  readonly to?: string;
}

interface Kind {
  readonly title: (count: number, shown: string) => string;
  readonly hints?: readonly string[];
  readonly lines: readonly Line[];
}

function Findings({
  report,
  isWritten,
  apiId,
}: Omit<Given, 'apiId'> & { readonly apiId: string | undefined }) {
  const { importing } = useTexts();
  const { warnings, conflicts, withheld, inReview } = report;
  const taken = conflicts.filter(({ code }) => code === 'tool_name_taken');
  // What can be done depends on who has the name: another version of the API, or another tool.
  const hints = taken.map(({ heldBy }) =>
    heldBy?.apiVersion != null && heldBy.apiId === apiId
      ? importing.keptBy(heldBy.apiVersion)
      : importing.tickPrefix(importing.prefix),
  );
  const toolAt = (toolId: string | undefined): { to?: string } =>
    toolId === undefined ? {} : { to: `/tools/${toolId}` };
  const kinds: readonly Kind[] = [
    {
      title: importing.inReview,
      lines: inReview.map(({ toolId, toolName, version }) => ({
        text: `${toolName} ${version}`,
        ...toolAt(toolId),
      })),
    },
    {
      title: importing.withheld,
      lines: withheld.map(({ toolId, toolName, fields }) => ({
        text: `${toolName}: ${fields.join(', ')}`,
        ...toolAt(toolId),
      })),
    },
    {
      title: (count, shown) => importing.namesTaken(count, shown, isWritten),
      hints,
      lines: taken.map(({ endpoint, offered, heldBy }) => ({
        text: `${endpoint} · ${String(offered)}`,
        ...toolAt(heldBy?.toolId),
      })),
    },
    {
      title: importing.conflicts,
      lines: conflicts
        .filter(({ code }) => code !== 'tool_name_taken')
        .map(({ endpoint, field, detail }) => ({
          text: `${endpoint} · ${field}${detail === undefined ? '' : `. ${detail}`}`,
        })),
    },
    {
      title: importing.warnings,
      lines: warnings.map(({ pointer, detail }) => ({ text: `${detail} ${pointer}` })),
    },
  ];
  return kinds.map((kind, index) => kind.lines.length > 0 && <Finding key={index} {...kind} />);
}

function Finding({ title, hints = [], lines }: Kind) {
  const { importing } = useTexts();
  const { number } = useFormats();
  return (
    <Alert component="h3" isInline variant="warning" title={title(lines.length, number(lines.length))}>
      {[...new Set(hints)].map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
      <ExpandableSection toggleText={importing.details}>
        <List>
          {lines.slice(0, MAX_LINES).map(({ text, to }, index) => (
            <ListItem key={index}>{to === undefined ? text : <To to={to}>{text}</To>}</ListItem>
          ))}
        </List>
      </ExpandableSection>
    </Alert>
  );
}
