import { Button, Flex, FlexItem } from '@patternfly/react-core';
import type { Of } from '../../api/client.ts';
import { GoTo } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Given {
  readonly report: Of<'ImportReport'>;
  readonly again?: () => void;
}

/** So many tools can become a skill at once. */
const MAX_TOOLS = 200;

/** Where to go from an import: to what waits, else to a skill of the new tools. */
export function Next({ report, again }: Given) {
  const { importing, skills } = useTexts();
  const { apiId = '', apiVersionId = '', inReview, total, unpublished, leftOut = [] } = report;
  const waits = inReview.length > 0;
  const tools = total - unpublished - leftOut.length;
  const areMany = tools > MAX_TOOLS;
  return (
    <Flex gap={{ default: 'gapSm' }}>
      {areMany && (
        <FlexItem fullWidth={{ default: 'fullWidth' }}>{skills.refusals['too_many_tools']}</FlexItem>
      )}
      {waits && (
        <GoTo to="/desk" search={{ apiId }} variant="primary">
          {importing.seeWaiting}
        </GoTo>
      )}
      {tools > 0 && (
        <GoTo
          to="/skills/new"
          search={areMany ? {} : { apiVersionId }}
          variant={waits ? 'secondary' : 'primary'}
        >
          {areMany ? skills.add : importing.makeSkill}
        </GoTo>
      )}
      <GoTo to="/tools" search={{ apiId }} variant="secondary">
        {importing.showTools}
      </GoTo>
      <GoTo to={`/apis/${apiId}`} variant="secondary">
        {importing.showApi}
      </GoTo>
      {again !== undefined && (
        <Button variant="link" onClick={again}>
          {importing.again}
        </Button>
      )}
    </Flex>
  );
}
