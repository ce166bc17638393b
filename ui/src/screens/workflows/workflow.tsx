import { Label } from '@patternfly/react-core';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Activation } from '../../parts/activation.tsx';
import { WriteButton } from '../../parts/for-writers.tsx';
import { ActiveLabel } from '../../parts/labels.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { Answer } from '../../parts/states.tsx';
import { GoTo } from '../../parts/to.tsx';
import { useWorkflow, WorkflowText } from '../../parts/workflow/workflow-text.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** A version of a workflow: its text, its steps, and where it is on its way. */
export default function Workflow() {
  const { workflows } = useTexts();
  const hostId = useHost();
  const wfDefId = useAddressed('wfDefId');
  const workflow = useWorkflow(wfDefId);
  const params = { path: { hostId, wfDefId } };
  return (
    <Answer of={workflow}>
      {(found) => (
        <Screen
          title={found.name}
          lead={`${found.namespace} · ${found.version}`}
          above={{ to: '/workflows', title: workflows.title }}
          badges={
            <>
              <Label isCompact>{workflows.statuses[found.lifecycleStatus]}</Label>
              <ActiveLabel isActive={found.active} />
            </>
          }
          actions={
            <>
              <GoTo variant="secondary" to="/workflows/new" search={{ from: wfDefId }}>
                {workflows.nextVersion}
              </GoTo>
              {found.lifecycleStatus === 'PUBLISHED' && (
                <WriteButton
                  variant="secondary"
                  question={workflows.deprecateSure}
                  write={() =>
                    given(api.POST('/v1/hosts/{hostId}/workflows/{wfDefId}/deprecate', { params }))
                  }
                >
                  {workflows.deprecate}
                </WriteButton>
              )}
              <Activation
                isActive={found.active}
                activate={() =>
                  given(api.POST('/v1/hosts/{hostId}/workflows/{wfDefId}/activate', { params }))
                }
                deactivate={() =>
                  given(api.POST('/v1/hosts/{hostId}/workflows/{wfDefId}/deactivate', { params }))
                }
              />
            </>
          }
        >
          <WorkflowText key={wfDefId} workflow={found} />
        </Screen>
      )}
    </Answer>
  );
}
