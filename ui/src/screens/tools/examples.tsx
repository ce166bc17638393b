import {
  ActionGroup,
  Button,
  Card,
  CardBody,
  CardTitle,
  Flex,
  FlexItem,
  Form,
  TextInput,
} from '@patternfly/react-core';
import TimesIcon from '@patternfly/react-icons/dist/esm/icons/times-icon';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { DraftButtons, DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { useLeaveQuestion } from '../../parts/leave-question.ts';
import { useTexts } from '../../texts/texts.tsx';

const MAX_LENGTH = 500;

/** What people say when they want the tool: added to and removed from, and saved as a whole. */
export function Examples({ tool }: { readonly tool: Of<'Tool'> }) {
  const { tools, records } = useTexts();
  const hostId = useHost();
  const [typed, type] = useState('');
  const params = { path: { hostId, toolId: tool.toolId } };
  const draft = useDraft({
    saved: tool,
    wordsOf: ({ examplePrompts = [] }: Of<'Tool'>) => ({ examplePrompts }),
    write: (body, header) =>
      given(api.PATCH('/v1/hosts/{hostId}/tools/{toolId}', { params: { ...params, header }, body })),
  });
  const { examplePrompts } = draft.words;
  const put = draft.set('examplePrompts');
  const prompt = typed.trim();
  // What is edited beside it asks for itself.
  useLeaveQuestion(prompt !== '' && !draft.isEdited);
  const withTyped =
    prompt === '' || examplePrompts.includes(prompt) ? examplePrompts : [...examplePrompts, prompt];
  const add = (): void => {
    put(withTyped);
    type('');
  };
  return (
    <Card isCompact component="section" aria-labelledby="tool-examples">
      <CardTitle component="h2" id="tool-examples">
        {tools.examples}
      </CardTitle>
      <CardBody>
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            if (!draft.isEdited) return;
            draft.save({ examplePrompts: withTyped });
            type('');
          }}
        >
          <p className="portal-subtle">{tools.examplesLead}</p>
          <DraftTrouble
            draft={draft}
            question={['tool', hostId, tool.toolId]}
            ask={() => given(api.GET('/v1/hosts/{hostId}/tools/{toolId}', { params }))}
            textOf={({ examplePrompts: prompts }) => prompts.join('\n')}
          />
          <ul>
            {examplePrompts.map((one) => (
              <li key={one}>
                “{one}”{' '}
                <Button
                  variant="plain"
                  size="sm"
                  icon={<TimesIcon />}
                  aria-label={tools.removeExample(one)}
                  onClick={() => put(examplePrompts.filter((each) => each !== one))}
                />
              </li>
            ))}
          </ul>
          <Flex gap={{ default: 'gapSm' }}>
            <FlexItem grow={{ default: 'grow' }}>
              <TextInput
                aria-label={tools.newExample}
                placeholder={tools.newExample}
                maxLength={MAX_LENGTH}
                value={typed}
                onChange={(_, text) => type(text)}
                onKeyDown={(event) => {
                  // The key adds what was typed; the button saves it, too.
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing || prompt === '') return;
                  event.preventDefault();
                  add();
                }}
              />
            </FlexItem>
            <Button variant="secondary" isDisabled={prompt === ''} onClick={add}>
              {records.add}
            </Button>
          </Flex>
          {(draft.isEdited || draft.isSaving) && (
            <ActionGroup>
              <DraftButtons draft={draft} />
            </ActionGroup>
          )}
        </Form>
      </CardBody>
    </Card>
  );
}
