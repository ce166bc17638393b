import {
  ActionGroup,
  Button,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Grid,
  GridItem,
  TextArea,
  TextInput,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { useTiers } from '../../parts/labels.tsx';
import { useLeaveQuestion } from '../../parts/leave-question.ts';
import { SchemaView } from '../../parts/schema-tree.tsx';
import { Answer } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Config = Of<'SkillToolConfig'>;

const blank = {
  description: '',
  notes: '',
  examples: '',
  priority: '',
  maxSensitivityTier: '',
  approvalWorkflow: '',
};
type Words = typeof blank;

function wordsOf({ examples, priority, ...texts }: Config): Words {
  return {
    ...blank,
    ...texts,
    examples: (examples ?? []).join('\n'),
    priority: priority === undefined ? '' : String(priority),
  };
}

/** What is empty is not said. */
function configOf({ examples, priority, ...texts }: Words): Config {
  const said = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  const prompts = examples.split('\n').map((line) => line.trim());
  return {
    ...(Object.fromEntries(said) as Config),
    ...(prompts.some((line) => line !== '') && { examples: prompts.filter((line) => line !== '') }),
    ...(priority.trim() !== '' && { priority: Number(priority) }),
  };
}

interface Given {
  readonly link: Of<'SkillTool'>;
  readonly isSaving: boolean;
  readonly save: (config: Config) => void;
}

/** What a skill says of a tool for itself alone, beside the arguments that the tool takes. */
export function LinkSettings({ link, isSaving, save }: Given) {
  const { skills } = useTexts();
  return (
    <Grid hasGutter>
      <GridItem lg={6}>
        <Settings {...{ link, isSaving, save }} />
      </GridItem>
      <GridItem lg={6} className="portal-stack">
        <strong>{skills.takes}</strong>
        <Arguments toolId={link.toolId} title={skills.takes} />
      </GridItem>
    </Grid>
  );
}

/** What is typed of the settings. What is saved meanwhile is taken over, unless something else was typed here. */
function useWords(config: Config) {
  const [base, setBase] = useState(config);
  const [words, setWords] = useState(() => wordsOf(config));
  const said = saidBy(words);
  if (saidBy(wordsOf(config)) !== saidBy(wordsOf(base))) {
    setBase(config);
    if (said === saidBy(wordsOf(base))) setWords(wordsOf(config));
  }
  const isEdited = said !== saidBy(wordsOf(config));
  useLeaveQuestion(isEdited);
  return { words, setWords, isEdited };
}

const saidBy = (words: Words): string => JSON.stringify(configOf(words));

function Settings({ link: { toolId, config }, isSaving, save }: Given) {
  const { skills, records } = useTexts();
  const tiers = useTiers();
  const { words, setWords, isEdited } = useWords(config);
  const set = (name: keyof Words) => (text: string) => setWords((before) => ({ ...before, [name]: text }));
  const idOf = (name: string) => `${name}-${toolId}`;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        save(configOf(words));
      }}
    >
      {(['description', 'notes', 'examples'] as const).map((name) => (
        <FormGroup key={name} label={skills.settings[name]} fieldId={idOf(name)}>
          <TextArea
            id={idOf(name)}
            autoResize
            placeholder={skills.settingHints[name]}
            value={words[name]}
            onChange={(_, text) => set(name)(text)}
          />
        </FormGroup>
      ))}
      <FormGroup label={skills.settings.priority} fieldId={idOf('priority')}>
        <TextInput
          id={idOf('priority')}
          type="number"
          className="portal-short"
          value={words.priority}
          onChange={(_, text) => set('priority')(text)}
        />
      </FormGroup>
      <FormGroup label={skills.settings.maxSensitivityTier} fieldId={idOf('tier')}>
        <FormSelect
          id={idOf('tier')}
          className="portal-short"
          value={words.maxSensitivityTier}
          onChange={(_, tier) => set('maxSensitivityTier')(tier)}
        >
          <FormSelectOption value="" label={skills.noLimit} />
          {Object.entries(tiers).map(([tier, title]) => (
            <FormSelectOption key={tier} value={tier} label={title} />
          ))}
        </FormSelect>
      </FormGroup>
      <FormGroup label={skills.settings.approvalWorkflow} fieldId={idOf('approval')}>
        <TextInput
          id={idOf('approval')}
          placeholder={skills.settingHints.approvalWorkflow}
          value={words.approvalWorkflow}
          onChange={(_, text) => set('approvalWorkflow')(text)}
        />
      </FormGroup>
      <ActionGroup>
        <Button type="submit" variant="secondary" isDisabled={!isEdited || isSaving} isLoading={isSaving}>
          {records.save}
        </Button>
      </ActionGroup>
    </Form>
  );
}

function Arguments({ toolId, title }: { readonly toolId: string; readonly title: string }) {
  const hostId = useHost();
  const tool = useQuery({
    queryKey: ['tool', hostId, toolId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/tools/{toolId}', { params: { path: { hostId, toolId } } })),
  });
  return (
    <Answer of={tool}>{({ inputSchema }) => <SchemaView title={title} schema={inputSchema ?? {}} />}</Answer>
  );
}
