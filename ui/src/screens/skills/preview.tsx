import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  FormGroup,
  Grid,
  GridItem,
  Label,
  List,
  ListItem,
  TextInput,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { AgentChoice } from '../../parts/agent-choice.tsx';
import { Rendered } from '../../parts/rendered.tsx';
import { Answer } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** What the skill puts before an agent: for every agent, or as one of them is given it, and for a prompt. */
export function SkillPreview({ skillId }: { readonly skillId: string }) {
  const { skills } = useTexts();
  const hostId = useHost();
  const [prompt, setPrompt] = useState('');
  const [agentDefId, setAgent] = useState('');
  const asked = useDeferredValue(prompt.trim());
  const preview = useQuery({
    queryKey: ['preview', hostId, skillId, asked, agentDefId],
    queryFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/skills/{skillId}/preview', {
          params: { path: { hostId, skillId } },
          body: { ...(asked === '' ? {} : { prompt: asked }), ...(agentDefId === '' ? {} : { agentDefId }) },
        }),
      ),
  });
  return (
    <div className="portal-stack">
      <Grid hasGutter md={6}>
        <FormGroup label={skills.prompt} fieldId="preview-prompt">
          <TextInput id="preview-prompt" value={prompt} onChange={(_, text) => setPrompt(text)} />
        </FormGroup>
        <AgentChoice
          id="preview-agent"
          label={skills.forAgent}
          any={skills.anyAgent}
          value={agentDefId}
          change={setAgent}
        />
      </Grid>
      <Answer of={preview}>{(found) => <Shown preview={found} />}</Answer>
    </div>
  );
}

function Shown({ preview }: { readonly preview: Of<'PreviewSkillResponse'> }) {
  const { skills, access } = useTexts();
  const { number } = useFormats();
  const names: Readonly<Record<string, string>> = access;
  const { given: isGiven, html, prompt, tools, size, findings } = preview;
  return (
    <>
      {!isGiven && (
        <Alert component="h2" isInline variant="warning" title={skills.notGiven}>
          {skills.notGivenMend}
        </Alert>
      )}
      {findings.length > 0 && (
        <Alert component="h2" isInline variant="info" title={skills.findings}>
          <List>
            {findings.map(({ code, toolName, detail }) => (
              <ListItem key={`${code} ${toolName ?? ''} ${detail}`}>{detail}</ListItem>
            ))}
          </List>
        </Alert>
      )}
      <Grid hasGutter lg={6}>
        <GridItem>
          <Card isCompact isFullHeight>
            <CardTitle component="h2">
              {skills.effectivePrompt(number(size.prompt.estimatedTokens))}
            </CardTitle>
            <CardBody>
              {html === undefined ? <pre className="portal-code">{prompt}</pre> : <Rendered html={html} />}
            </CardBody>
          </Card>
        </GridItem>
        <GridItem>
          <Card isCompact isFullHeight>
            <CardTitle component="h2">
              {skills.allowed(number(size.toolDefinitions.estimatedTokens))}
            </CardTitle>
            <CardBody>
              <List isPlain isBordered>
                {tools.map(({ toolId, name, description, accessLevel, matched }) => (
                  <ListItem key={toolId}>
                    <To to={`/tools/${toolId}`}>{name}</To>{' '}
                    <Label isCompact>{names[accessLevel] ?? accessLevel}</Label>{' '}
                    {matched.map((word) => (
                      <Label key={word} isCompact color="blue">
                        {word}
                      </Label>
                    ))}
                    <div className="portal-subtle">{description}</div>
                  </ListItem>
                ))}
              </List>
            </CardBody>
          </Card>
        </GridItem>
      </Grid>
    </>
  );
}
