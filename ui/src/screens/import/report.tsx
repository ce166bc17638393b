import {
  Alert,
  Card,
  CardBody,
  CardHeader,
  CardTitle,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  ExpandableSection,
  Button,
  Flex,
  Label,
  List,
  ListItem,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { Of } from '../../api/client.ts';
import { GradeLabel } from '../../parts/labels.tsx';
import { GoTo } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** So many rows say enough of a large document; the counts are of all. */
const MAX_ROWS = 200;

interface Given {
  readonly report: Of<'ImportReport'>;
  readonly isWritten: boolean;
  readonly isPending: boolean;
  readonly write: () => void;
  readonly startAgain: () => void;
}

/** What an import would do, or has done. */
export function Report({ report, isWritten, isPending, write, startAgain }: Given) {
  const { importing } = useTexts();
  const { number } = useFormats();
  const counts = { ...report, published: report.published ?? 0 };
  return (
    <Card aria-live="polite">
      <CardHeader>
        <CardTitle component="h2">{isWritten ? importing.hasChanged : importing.wouldChange}</CardTitle>
      </CardHeader>
      <CardBody>
        <DescriptionList columnModifier={{ default: '2Col', md: '3Col' }} isCompact>
          {(Object.keys(importing.counts) as (keyof typeof importing.counts)[]).map((name) => (
            <DescriptionListGroup key={name}>
              <DescriptionListTerm>{importing.counts[name]}</DescriptionListTerm>
              <DescriptionListDescription>{number(counts[name])}</DescriptionListDescription>
            </DescriptionListGroup>
          ))}
        </DescriptionList>
        <p>{importing.reach(number(report.reach.skills.length), number(report.reach.agents.length))}</p>
      </CardBody>
      <CardBody>
        <Findings report={report} />
        <Items items={report.items} />
      </CardBody>
      <CardBody>
        {isWritten ? (
          <Flex gap={{ default: 'gapSm' }}>
            <GoTo to="/skills/new" search={{ apiVersionId: report.apiVersionId ?? '' }} variant="primary">
              {importing.makeSkill}
            </GoTo>
            <GoTo to="/tools" search={{ apiId: report.apiId ?? '' }} variant="secondary">
              {importing.showTools}
            </GoTo>
            <Button variant="link" onClick={startAgain}>
              {importing.again}
            </Button>
          </Flex>
        ) : (
          <>
            <p className="portal-subtle">{importing.nothingWritten}</p>
            <Button onClick={write} isLoading={isPending} isDisabled={isPending}>
              {importing.write}
            </Button>
          </>
        )}
      </CardBody>
    </Card>
  );
}

function Findings({ report: { warnings, conflicts, withheld } }: Pick<Given, 'report'>) {
  const { importing } = useTexts();
  const { number } = useFormats();
  const kinds = [
    {
      title: importing.withheld(number(withheld.length)),
      lines: withheld.map(({ toolName, fields }) => `${toolName}: ${fields.join(', ')}`),
    },
    {
      title: importing.conflicts(number(conflicts.length)),
      lines: conflicts.map(({ endpoint, field, detail }) => `${endpoint} ${field}. ${detail ?? ''}`),
    },
    {
      title: importing.warnings(number(warnings.length)),
      lines: warnings.map(({ pointer, detail }) => `${detail} ${pointer}`),
    },
  ].filter(({ lines }) => lines.length > 0);
  return kinds.map(({ title, lines }) => (
    <Alert key={title} component="h2" isInline variant="warning" title={title}>
      <ExpandableSection toggleText={title}>
        <List>
          {lines.slice(0, MAX_ROWS).map((line, index) => (
            <ListItem key={index}>{line}</ListItem>
          ))}
        </List>
      </ExpandableSection>
    </Alert>
  ));
}

const colours = {
  added: 'green',
  changed: 'blue',
  unchanged: 'grey',
  reactivated: 'teal',
  deactivated: 'orange',
} as const;

function Items({ items }: { readonly items: Of<'ImportReport'>['items'] }) {
  const { importing, changes } = useTexts();
  const { number } = useFormats();
  // What changes comes first.
  const sorted = [...items].sort(
    (a, b) => Number(a.change === 'unchanged') - Number(b.change === 'unchanged'),
  );
  return (
    <>
      <Table variant="compact" aria-label={importing.wouldChange}>
        <Thead>
          <Tr>
            <Th>{importing.endpoint}</Th>
            <Th>{importing.name}</Th>
            <Th>{importing.change}</Th>
            <Th>{importing.grade}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {sorted.slice(0, MAX_ROWS).map(({ endpoint, name, change, grades }) => (
            <Tr key={endpoint}>
              <Td dataLabel={importing.endpoint}>
                <code>{endpoint}</code>
              </Td>
              <Td dataLabel={importing.name}>{name}</Td>
              <Td dataLabel={importing.change}>
                <Label isCompact color={colours[change]}>
                  {changes[change]}
                </Label>
              </Td>
              <Td dataLabel={importing.grade}>
                {[...new Set(Object.values(grades))].map((grade) => (
                  <GradeLabel key={grade} grade={grade} />
                ))}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      {items.length > MAX_ROWS && (
        <p className="portal-subtle">{importing.firstOnly(number(MAX_ROWS), number(items.length))}</p>
      )}
    </>
  );
}
