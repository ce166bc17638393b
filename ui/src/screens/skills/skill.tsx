import { Alert, Label } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Activation } from '../../parts/activation.tsx';
import { ActiveLabel } from '../../parts/labels.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { Sections } from '../../parts/sections.tsx';
import { Answer } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useImpact } from './impact.ts';
import { Overview } from './overview.tsx';
import { SkillPreview } from './preview.tsx';
import { SkillTools } from './skill-tools.tsx';
import { SkillWorkflows } from './skill-workflows.tsx';

/** The workspace of a skill: its words, its tools, and what an agent gets of it. */
export default function SkillScreen() {
  const { skills } = useTexts();
  const hostId = useHost();
  const skillId = useAddressed('skillId');
  const params = { path: { hostId, skillId } };
  const skill = useQuery({
    queryKey: ['skill', hostId, skillId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/skills/{skillId}', { params })),
  });
  return (
    <Screen
      title={skill.data?.name ?? skills.one}
      above={{ to: '/skills', title: skills.title }}
      badges={
        skill.data && (
          <>
            <Label isCompact>{skill.data.version}</Label>
            <ActiveLabel isActive={skill.data.active} />
          </>
        )
      }
      actions={
        skill.data && (
          <Activation
            isActive={skill.data.active}
            activate={() => given(api.POST('/v1/hosts/{hostId}/skills/{skillId}/activate', { params }))}
            deactivate={() => given(api.POST('/v1/hosts/{hostId}/skills/{skillId}/deactivate', { params }))}
          />
        )
      }
    >
      <Answer of={skill}>{(found) => <Parts key={found.skillId} skill={found} />}</Answer>
    </Screen>
  );
}

function Parts({ skill: { skillId }, skill }: { readonly skill: Of<'Skill'> }) {
  const { skills } = useTexts();
  return (
    <div className="portal-stack">
      <NextStep skill={skill} />
      <Sections
        of={[
          ['overview', skills.overview, () => <Overview skill={skill} />],
          ['tools', skills.tools, () => <SkillTools skillId={skillId} />],
          ['workflow', skills.workflow, () => <SkillWorkflows skillId={skillId} />],
          ['preview', skills.preview, () => <SkillPreview skillId={skillId} />],
        ]}
      />
    </div>
  );
}

/** What is still to be done before an agent works with the skill; nothing where one does. */
function NextStep({ skill: { skillId, name, active } }: { readonly skill: Of<'Skill'> }) {
  const { skills } = useTexts();
  const impact = useImpact(skillId);
  if (!active)
    return (
      <Alert component="h2" isInline variant="info" title={skills.inactiveYet}>
        {skills.inactiveNext}
      </Alert>
    );
  if (impact.data?.agents.length !== 0) return null;
  return (
    <Alert
      component="h2"
      isInline
      variant="info"
      title={skills.unassigned}
      actionLinks={
        <To to={`/agents?${new URLSearchParams({ skillId, skillName: name }).toString()}`}>
          {skills.assignIt}
        </To>
      }
    />
  );
}
