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
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { AgentChoice, useAgents } from '../../parts/agent-choice.tsx';
import { effectiveCatalog } from '../../parts/effective-catalog.ts';
import { Mend, useReasons } from '../../parts/reasons.tsx';
import { Rendered } from '../../parts/rendered.tsx';
import { useSettled } from '../../parts/settled.ts';
import { Answer } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** What the skill puts before an agent: for every agent, or as one of them is given it, and for a prompt. */
export function SkillPreview({ skillId }: { readonly skillId: string }) {
  const { skills } = useTexts();
  const hostId = useHost();
  const [prompt, setPrompt] = useState('');
  const [agentDefId, setAgent] = useState('');
  const [context, setContext] = useState('');
  const asked = useSettled(prompt.trim());
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
        {agentDefId !== '' && (
          <FormGroup label={skills.context} fieldId="preview-context">
            <TextInput
              id="preview-context"
              placeholder={skills.contextHint}
              value={context}
              onChange={(_, text) => setContext(text)}
            />
          </FormGroup>
        )}
      </Grid>
      <Answer of={preview}>{(found) => <Shown preview={found} />}</Answer>
      {agentDefId !== '' && <WithheldFrom {...{ skillId, agentDefId, context }} />}
    </div>
  );
}

/** What of the skill the agent is not given, by its own catalog: for those who may see that. */
function WithheldFrom({
  skillId,
  agentDefId,
  context,
}: {
  readonly skillId: string;
  readonly agentDefId: string;
  readonly context: string;
}) {
  const { skills } = useTexts();
  const hostId = useHost();
  const wordsOf = useReasons();
  const atHand = useSettled(context.trim());
  const agent = useAgents().find((each) => each.agentDefId === agentDefId);
  const withheld = useQuery({
    queryKey: ['withheld of skill', hostId, agentDefId, atHand],
    enabled: agent !== undefined,
    queryFn: async () => {
      const { serviceId = '', envTag = '' } = agent ?? {};
      const query = { serviceId, envTag, withheld: true, ...(atHand === '' ? {} : { context: atHand }) };
      return (await effectiveCatalog(hostId, agentDefId, query)).withheld ?? [];
    },
  });
  const items = (withheld.data ?? []).filter((each) => each.skillId === skillId);
  if (items.length === 0) return null;
  return (
    <Card isCompact>
      <CardTitle component="h2">{skills.withheldHere}</CardTitle>
      <CardBody>
        <List isPlain isBordered>
          {items.map(({ toolId, toolName, reason, detail }) => (
            <ListItem key={`${toolId ?? ''} ${reason}`}>
              {toolId !== undefined && (
                <del>
                  <To to={`/tools/${toolId}`}>{toolName ?? toolId}</To>
                </del>
              )}{' '}
              {wordsOf(reason)} <Mend {...{ reason, agentDefId, skillId, toolId }} />
              <div className="portal-subtle">{detail}</div>
            </ListItem>
          ))}
        </List>
      </CardBody>
    </Card>
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
              <ListItem key={`${code} ${toolName ?? ''} ${detail}`}>
                {toolName === undefined || detail.includes(toolName)
                  ? detail
                  : skills.findingOf(toolName, detail)}
              </ListItem>
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
