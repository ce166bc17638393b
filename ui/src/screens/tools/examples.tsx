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
  const add = (): void => {
    const prompt = typed.trim();
    if (prompt !== '' && !examplePrompts.includes(prompt)) put([...examplePrompts, prompt]);
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
            if (typed.trim() === '') draft.save();
            else add();
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
            {examplePrompts.map((prompt) => (
              <li key={prompt}>
                “{prompt}”{' '}
                <Button
                  variant="plain"
                  size="sm"
                  icon={<TimesIcon />}
                  aria-label={tools.removeExample(prompt)}
                  onClick={() => put(examplePrompts.filter((each) => each !== prompt))}
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
              />
            </FlexItem>
            <Button variant="secondary" isDisabled={typed.trim() === ''} onClick={add}>
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
