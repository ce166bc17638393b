import { Checkbox, ExpandableSection, Flex } from '@patternfly/react-core';
import { useState } from 'react';
import { Diff } from '../../parts/diff.tsx';
import { Facts } from '../../parts/facts.tsx';
import { GradeLabel } from '../../parts/labels.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { keyOf, type Finding } from './findings.ts';

interface Given {
  readonly finding: Finding;
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
}

/** One difference: what it is, what accepting it does, and both sides of it. */
export function OneFinding({ finding: found, isChosen, choose }: Given) {
  const { gateways } = useTexts();
  const { toolName, toolId, finding, grade } = found;
  const title = `${toolName}: ${gateways.findings[finding]}`;
  return (
    <div>
      <Flex className="portal-ticked" alignItems={{ default: 'alignItemsCenter' }} gap={{ default: 'gapSm' }}>
        <Checkbox
          id={keyOf(found)}
          label={title}
          isChecked={isChosen}
          onChange={(_, isNowChosen) => choose(isNowChosen)}
        />
        {grade !== undefined && <GradeLabel grade={grade} />}
        {toolId !== undefined && (
          <span className="portal-target">
            <To to={`/tools/${toolId}`}>{gateways.show}</To>
          </span>
        )}
      </Flex>
      <Details found={found} />
    </div>
  );
}

/** Open at once where there are two sides to compare: that is what is decided about. */
function Details({ found }: { readonly found: Finding }) {
  const { gateways } = useTexts();
  const { toolName, finding, version, skills = [], before, after, reason, details = [] } = found;
  const refusals: Readonly<Record<string, string>> = gateways.refusals;
  const isComparable = before !== undefined && after !== undefined;
  const [isOpen, setOpen] = useState(isComparable);
  const facts = [
    ...(version === undefined ? [] : [[gateways.version, version] as const]),
    ...(skills.length === 0 ? [] : [[gateways.skills, skills.join(', ')] as const]),
    ...(reason === undefined ? [] : [[gateways.reason, refusals[reason] ?? reason] as const]),
    ...(details.length === 0 ? [] : [[gateways.more, details.join('; ')] as const]),
  ];
  return (
    <ExpandableSection
      toggleText={gateways.detailsOf(toolName)}
      isExpanded={isOpen}
      onToggle={(_, isNowOpen) => setOpen(isNowOpen)}
    >
      {isOpen && (
        <div className="portal-stack">
          <p>{gateways.means[finding]}</p>
          {facts.length > 0 && <Facts of={facts} />}
          {(before !== undefined || after !== undefined) && <Diff before={before} after={after} />}
        </div>
      )}
    </ExpandableSection>
  );
}
