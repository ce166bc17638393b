import { ActionGroup, Form, FormGroup, Grid, GridItem, TextArea, TextInput } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { DraftButtons, DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { MarkdownEditor } from '../../parts/markdown-editor.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The words of a skill. They are saved over the version that they were read from, and over no other. */
export function Overview({ skill }: { readonly skill: Of<'Skill'> }) {
  const { skills } = useTexts();
  const hostId = useHost();
  const { skillId } = skill;
  const params = { path: { hostId, skillId } };
  const draft = useDraft({
    saved: skill,
    wordsOf,
    write: (body, header) =>
      given(api.PATCH('/v1/hosts/{hostId}/skills/{skillId}', { params: { ...params, header }, body })),
  });
  const { words, set } = draft;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        draft.save();
      }}
    >
      <DraftTrouble
        draft={draft}
        question={['skill', hostId, skillId]}
        ask={() => given(api.GET('/v1/hosts/{hostId}/skills/{skillId}', { params }))}
        textOf={({ name, description, version, contentMarkdown }) =>
          [name, version, description, '', contentMarkdown].join('\n')
        }
      />
      <Grid hasGutter>
        <GridItem md={8}>
          <FormGroup label={skills.name} fieldId="skill-name" isRequired>
            <TextInput
              id="skill-name"
              isRequired
              value={words.name}
              onChange={(_, text) => set('name')(text)}
            />
          </FormGroup>
        </GridItem>
        <GridItem md={4}>
          <FormGroup label={skills.version} fieldId="skill-version">
            <TextInput
              id="skill-version"
              value={words.version}
              onChange={(_, text) => set('version')(text)}
            />
          </FormGroup>
        </GridItem>
      </Grid>
      <FormGroup label={skills.description} fieldId="skill-description">
        <TextArea
          id="skill-description"
          autoResize
          value={words.description}
          onChange={(_, text) => set('description')(text)}
        />
      </FormGroup>
      <FormGroup label={skills.instructions} role="group">
        <MarkdownEditor
          label={skills.instructions}
          value={words.contentMarkdown}
          change={set('contentMarkdown')}
        />
      </FormGroup>
      <Reach skillId={skillId} />
      <ActionGroup>
        <DraftButtons draft={draft} />
      </ActionGroup>
    </Form>
  );
}

/** Whom a change hits first. */
function Reach({ skillId }: { readonly skillId: string }) {
  const { skills } = useTexts();
  const hostId = useHost();
  const impact = useQuery({
    queryKey: ['skill impact', hostId, skillId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/skills/{skillId}/impact', { params: { path: { hostId, skillId } } })),
  });
  if (impact.data === undefined) return null;
  const names = impact.data.agents.map(({ name, envTag }) => `${name} (${envTag})`);
  return (
    <p className="portal-subtle">
      {names.length === 0 ? skills.reachesNobody : skills.reaches(names.join(', '))}
    </p>
  );
}

function wordsOf({ name, description, version, contentMarkdown }: Of<'Skill'>) {
  return { name, description, version, contentMarkdown };
}
