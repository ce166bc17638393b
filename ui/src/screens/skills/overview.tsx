import {
  ActionGroup,
  Alert,
  Card,
  CardBody,
  Form,
  FormGroup,
  Grid,
  GridItem,
  TextArea,
  TextInput,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Classification } from '../../parts/classification.tsx';
import { DraftButtons, DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { MarkdownEditor } from '../../parts/markdown-editor.tsx';
import { useSettled } from '../../parts/settled.ts';
import { FieldFaults } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Dependencies } from './dependencies.tsx';
import { useImpact } from './impact.ts';

/** What a skill says, and what it belongs to. */
export function Overview({ skill }: { readonly skill: Of<'Skill'> }) {
  const { skillId } = skill;
  return (
    <div className="portal-stack">
      <Words skill={skill} />
      <Grid hasGutter md={6}>
        <GridItem>
          <Belongs skillId={skillId} />
        </GridItem>
        <GridItem>
          <Card isCompact isFullHeight>
            <CardBody>
              <Dependencies skillId={skillId} />
            </CardBody>
          </Card>
        </GridItem>
      </Grid>
    </div>
  );
}

function Belongs({ skillId }: { readonly skillId: string }) {
  const path = { hostId: useHost(), skillId };
  return (
    <Card isCompact isFullHeight>
      <CardBody>
        <Classification
          entityType="skill"
          id={skillId}
          read={() => given(api.GET('/v1/hosts/{hostId}/skills/{skillId}/taxonomy', { params: { path } }))}
          write={(body, header) =>
            given(api.PUT('/v1/hosts/{hostId}/skills/{skillId}/taxonomy', { params: { path, header }, body }))
          }
        />
      </CardBody>
    </Card>
  );
}

/** The words of a skill. They are saved over the version that they were read from, and over no other. */
function Words({ skill }: { readonly skill: Of<'Skill'> }) {
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
      <Refused skillId={skillId} words={words} isEdited={draft.isEdited} />
      <ActionGroup className={draft.isEdited ? 'portal-bar' : ''}>
        <Reach skillId={skillId} isEdited={draft.isEdited} />
        <DraftButtons draft={draft} />
      </ActionGroup>
    </Form>
  );
}

/** Why the service would not take what is typed, such as a secret in it: said before it is sent to be kept. */
function Refused({
  skillId,
  words,
  isEdited,
}: {
  readonly skillId: string;
  readonly words: ReturnType<typeof wordsOf>;
  readonly isEdited: boolean;
}) {
  const { skills } = useTexts();
  const hostId = useHost();
  const asked = useSettled(words);
  const tried = useQuery({
    queryKey: ['skill tried', hostId, skillId, asked],
    enabled: isEdited,
    retry: false,
    queryFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/skills/save', {
          params: { path: { hostId } },
          body: { skillId, ...asked, dryRun: true },
        }),
      ),
  });
  if (!isEdited || tried.error === null) return null;
  return (
    <Alert component="h2" isInline variant="warning" title={skills.wouldBeRefused}>
      {tried.error.message}
      <FieldFaults error={tried.error} />
    </Alert>
  );
}

/** Whom a change hits first. */
function Reach({ skillId, isEdited }: { readonly skillId: string; readonly isEdited: boolean }) {
  const { skills } = useTexts();
  const impact = useImpact(skillId);
  if (impact.data === undefined) return null;
  const names = impact.data.agents.map(({ name, envTag }) => `${name} (${envTag})`);
  return (
    <span className="portal-subtle">
      {isEdited && `${skills.notSavedYet} `}
      {names.length === 0 ? skills.reachesNobody : skills.reaches(names.join(', '))}
    </span>
  );
}

function wordsOf({ name, description, version, contentMarkdown }: Of<'Skill'>) {
  return { name, description, version, contentMarkdown };
}
