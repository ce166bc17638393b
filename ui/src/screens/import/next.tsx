import { Button, Flex } from '@patternfly/react-core';
import type { Of } from '../../api/client.ts';
import { GoTo } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Given {
  readonly report: Of<'ImportReport'>;
  readonly again?: () => void;
}

/** Where to go from an import: to what waits, else to a skill of the new tools. */
export function Next({ report: { apiId = '', apiVersionId = '', inReview }, again }: Given) {
  const { importing } = useTexts();
  const waits = inReview.length > 0;
  return (
    <Flex gap={{ default: 'gapSm' }}>
      {waits && (
        <GoTo to="/desk" search={{ apiId }} variant="primary">
          {importing.seeWaiting}
        </GoTo>
      )}
      <GoTo to="/skills/new" search={{ apiVersionId }} variant={waits ? 'secondary' : 'primary'}>
        {importing.makeSkill}
      </GoTo>
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
