import { ActionGroup } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of, ifMatch } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { useTexts } from '../../texts/texts.tsx';
import { DraftButtons, DraftTrouble, useDraft } from '../draft.tsx';
import { WriteButton, WritingForm } from '../for-writers.tsx';
import { Nothing } from '../states.tsx';
import { Definition } from './definition.tsx';
import { WorkflowFields } from './fields.tsx';
import type { WorkflowWords } from './outline.ts';

type Workflow = Of<'Workflow'>;

interface Given {
  readonly workflow: Workflow;
  /** The skill in whose view it is edited. */
  readonly skillId?: string | undefined;
}

export function useWorkflow(wfDefId: string) {
  const hostId = useHost();
  return useQuery({
    queryKey: ['workflow', hostId, wfDefId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/workflows/{wfDefId}', { params: { path: { hostId, wfDefId } } })),
  });
}

/** The text of a workflow: edited while it is a draft, by those who may; later only read. */
export function WorkflowText({ workflow, skillId }: Given) {
  const { workflows } = useTexts();
  const mayWrite = useMay('catalog:write');
  if (workflow.definition === null) return <Nothing title={workflows.definitionHidden} />;
  if (mayWrite && workflow.lifecycleStatus === 'DRAFT') return <DraftText {...{ workflow, skillId }} />;
  return <Definition words={wordsOf(workflow)} skillId={skillId} />;
}

export function wordsOf({ namespace, name, version, definition }: Workflow): WorkflowWords {
  return { namespace, name, version, definition: definition ?? '' };
}

function DraftText({ workflow, skillId }: Given) {
  const { workflows } = useTexts();
  const hostId = useHost();
  const { wfDefId } = workflow;
  const params = { path: { hostId, wfDefId } };
  const draft = useDraft({
    saved: workflow,
    wordsOf,
    write: (body, header) =>
      given(api.PATCH('/v1/hosts/{hostId}/workflows/{wfDefId}', { params: { ...params, header }, body })),
  });
  const publish = () =>
    given(
      api.POST('/v1/hosts/{hostId}/workflows/{wfDefId}/publish', {
        params: { ...params, header: ifMatch(draft.base.aggregateVersion) },
      }),
    );
  return (
    <WritingForm submit={() => draft.save()}>
      <DraftTrouble
        draft={draft}
        question={['workflow', hostId, wfDefId]}
        ask={() => given(api.GET('/v1/hosts/{hostId}/workflows/{wfDefId}', { params }))}
        textOf={({ namespace, name, version, definition }) =>
          [`${namespace}/${name} ${version}`, '', definition].join('\n')
        }
      />
      <WorkflowFields words={draft.words} set={draft.set} skillId={skillId} />
      <p className="portal-subtle">{workflows.publishHelp}</p>
      <ActionGroup>
        <DraftButtons draft={draft} />
        <WriteButton
          variant="secondary"
          isDisabled={draft.isEdited}
          done={workflows.published}
          write={publish}
        >
          {workflows.publish}
        </WriteButton>
      </ActionGroup>
    </WritingForm>
  );
}
