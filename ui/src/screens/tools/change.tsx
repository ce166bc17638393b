import { Alert, Button, ExpandableSection, Flex } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Diff } from '../../parts/diff.tsx';
import { ForWriters } from '../../parts/for-writers.tsx';
import { GradeLabel } from '../../parts/labels.tsx';
import { notify } from '../../parts/notices.tsx';
import { Answer } from '../../parts/states.tsx';
import { GoTo } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Changed {
  readonly grade?: 'breaking' | 'suspicious' | 'compatible' | 'wording';
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What the source says differently since somebody last accepted it, with the version that waits because of it. */
export function Change({ tool }: { readonly tool: Of<'Tool'> }) {
  const { tools } = useTexts();
  const { toolId, change, inReview } = tool;
  const { grade, before, after } = (change ?? {}) as Changed;
  return (
    <Alert component="h2" isInline variant="warning" title={tools.changeWaits}>
      <div className="portal-stack">
        <Flex gap={{ default: 'gapSm' }}>{grade !== undefined && <GradeLabel grade={grade} />}</Flex>
        {change !== null && change !== undefined && (
          <ExpandableSection toggleText={tools.changeInFull}>
            <Diff before={before} after={after} />
          </ExpandableSection>
        )}
        {inReview.some(({ state }) => state === 'in_review') ? (
          <WithVersion tool={tool} />
        ) : (
          <Accept toolId={toolId} />
        )}
      </div>
    </Alert>
  );
}

function WithVersion({ tool: { toolId, version: number } }: { readonly tool: Of<'Tool'> }) {
  const { tools } = useTexts();
  const hostId = useHost();
  const versions = useQuery({
    queryKey: ['versions', hostId, toolId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/tools/{toolId}/versions', { params: { path: { hostId, toolId } } })),
  });
  return (
    <Answer of={versions}>
      {({ items }) => {
        const isGiven = items.some(({ isPresent }) => isPresent);
        const waiting = items.find(
          ({ state, origin, version }) =>
            state === 'in_review' && (isGiven ? origin === 'source' : version === number),
        );
        if (waiting === undefined) return <Accept toolId={toolId} />;
        const { version } = waiting;
        return (
          <div className="portal-stack">
            <p>{tools.approvedWith(version)}</p>
            <div>
              <GoTo variant="secondary" to={`/tools/${toolId}/versions/${version}`}>
                {tools.reviewOf(version)}
              </GoTo>
            </div>
          </div>
        );
      }}
    </Answer>
  );
}

function Accept({ toolId }: { readonly toolId: string }) {
  const { tools } = useTexts();
  const hostId = useHost();
  const accept = useMutation({
    mutationFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/tools/{toolId}/changes/accept', {
          params: { path: { hostId, toolId } },
          body: {},
        }),
      ),
    onSuccess: () => notify('success', tools.accepted),
  });
  return (
    <ForWriters>
      <div>
        <Button
          variant="secondary"
          isLoading={accept.isPending}
          isDisabled={accept.isPending}
          onClick={() => accept.mutate()}
        >
          {tools.accept}
        </Button>
      </div>
    </ForWriters>
  );
}
