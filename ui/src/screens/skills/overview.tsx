import {
  ActionGroup,
  Card,
  CardBody,
  Flex,
  FormGroup,
  Grid,
  GridItem,
  TextArea,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { Classification } from '../../parts/classification.tsx';
import { DraftButtons, DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { WritingForm } from '../../parts/for-writers.tsx';
import { MarkdownEditor } from '../../parts/markdown-editor.tsx';
import { useSettled } from '../../parts/settled.ts';
import { Refusal, TextField } from '../../parts/text-field.tsx';
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
    <WritingForm submit={() => draft.save()}>
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
          <TextField id="skill-name" isRequired label={skills.name} value={words.name} change={set('name')} />
        </GridItem>
        <GridItem md={4}>
          <TextField
            id="skill-version"
            label={skills.version}
            value={words.version}
            change={set('version')}
          />
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
        <Flex gap={{ default: 'gapMd' }} alignItems={{ default: 'alignItemsCenter' }}>
          <Reach skillId={skillId} isEdited={draft.isEdited} />
          <DraftButtons draft={draft} />
        </Flex>
      </ActionGroup>
    </WritingForm>
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
  return isEdited && <Refusal variant="warning" title={skills.wouldBeRefused} error={tried.error} />;
}

/** Whom a change hits first. */
function Reach({ skillId, isEdited }: { readonly skillId: string; readonly isEdited: boolean }) {
  const { skills } = useTexts();
  const impact = useImpact(skillId);
  const mayWrite = useMay('catalog:write');
  if (impact.data === undefined || !mayWrite) return null;
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
