import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiFault, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { NewRecordForm, useOnce } from '../../parts/new-record-form.tsx';
import { notify } from '../../parts/notices.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer } from '../../parts/states.tsx';
import { WorkflowFields } from '../../parts/workflow/fields.tsx';
import type { WorkflowWords } from '../../parts/workflow/outline.ts';
import { useWorkflow, wordsOf } from '../../parts/workflow/workflow-text.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { blank, nextOf } from './beginnings.ts';

type Role = Of<'SkillWorkflow'>['workflowRole'];

/** A draft of a workflow: from nothing, or the next version of one; for a skill where the address names one. */
export default function NewWorkflow() {
  const { workflows } = useTexts();
  const [{ from }] = useSearchState();
  return (
    <Screen
      title={from === undefined ? workflows.add : workflows.nextVersion}
      lead={workflows.addLead}
      above={{ to: '/workflows', title: workflows.title }}
    >
      {from === undefined ? <NewDraft first={blank} /> : <NextVersion wfDefId={from} />}
    </Screen>
  );
}

function NextVersion({ wfDefId }: { readonly wfDefId: string }) {
  const workflow = useWorkflow(wfDefId);
  return <Answer of={workflow}>{(found) => <NewDraft first={nextOf(wordsOf(found))} />}</Answer>;
}

function NewDraft({ first }: { readonly first: WorkflowWords }) {
  const { workflows, skills } = useTexts();
  const hostId = useHost();
  const navigate = useNavigate();
  const [{ skillId }] = useSearchState();
  const [typed, setTyped] = useState<Partial<WorkflowWords>>({});
  const words = { ...first, ...typed };
  const [role, setRole] = useState<Role>('primary');
  const once = useOnce();
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const params = { path: { hostId }, header: once(words) };
      const { id } = await given(api.POST('/v1/hosts/{hostId}/workflows', { params, body: words }));
      return { id, isLinked: skillId !== undefined && (await link(skillId, id)) };
    },
    onSuccess: ({ id, isLinked }) =>
      isLinked
        ? navigate({ to: `/skills/${skillId ?? ''}`, search: { tab: 'workflow' } })
        : navigate({ to: `/workflows/${id}` }),
  });
  /** The draft stays where the skill does not take it: what is in the way can be mended there. */
  const link = async (skill: string, wfDefId: string): Promise<boolean> => {
    const path = { hostId, skillId: skill, wfDefId, workflowRole: role };
    try {
      await given(
        api.PUT('/v1/hosts/{hostId}/skills/{skillId}/workflows/{wfDefId}/{workflowRole}', {
          ...{ params: { path }, body: {} },
        }),
      );
      return true;
    } catch (fault) {
      if (!(fault instanceof ApiFault)) throw fault;
      notify('danger', `${skills.notLinked}: ${fault.message}`);
      return false;
    }
  };
  const { namespace, name, version, definition } = words;
  const isComplete = [namespace, name, version, definition].every((text) => text.trim() !== '');
  return (
    <NewRecordForm
      {...{ add, isComplete }}
      failed={workflows.notAdded}
      create={workflows.create}
      isEdited={Object.keys(typed).length > 0}
      isWide
    >
      {skillId !== undefined && (
        <FormGroup label={skills.role} fieldId="workflow-role" className="portal-short">
          <FormSelect id="workflow-role" value={role} onChange={(_, value) => setRole(value as Role)}>
            {Object.entries(skills.roles).map(([value, title]) => (
              <FormSelectOption key={value} value={value} label={title} />
            ))}
          </FormSelect>
        </FormGroup>
      )}
      <WorkflowFields
        words={words}
        set={(field) => (value) => setTyped((before) => ({ ...before, [field]: value }))}
        skillId={skillId}
      />
    </NewRecordForm>
  );
}
