import {
  Alert,
  Card,
  CardBody,
  CardTitle,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Label,
  List,
  ListItem,
  Button,
  Title,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { ForWriters, WriteButton } from '../../parts/for-writers.tsx';
import { NewRecordForm } from '../../parts/new-record-form.tsx';
import { Answer, Nothing } from '../../parts/states.tsx';
import { GoTo, To } from '../../parts/to.tsx';
import { useOutline, type WorkflowWords } from '../../parts/workflow/outline.ts';
import { Steps } from '../../parts/workflow/steps.tsx';
import { useWorkflow, wordsOf, WorkflowText } from '../../parts/workflow/workflow-text.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Link = Of<'SkillWorkflow'>;
type Role = Link['workflowRole'];

/** The workflows that back a skill: what each is for, its steps, and why it can't run as it is. */
export function SkillWorkflows({ skillId }: { readonly skillId: string }) {
  const { skills } = useTexts();
  const hostId = useHost();
  const mayWrite = useMay('catalog:write');
  const links = useQuery({
    queryKey: ['skill workflows', hostId, skillId],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/skills/{skillId}/workflows', {
          params: { path: { hostId, skillId }, query: { limit: 100 } },
        }),
      ),
  });
  return (
    <Answer of={links}>
      {({ items }) => (
        <div className="portal-stack">
          {items.length === 0 && (
            <Nothing title={skills.noWorkflows}>{mayWrite ? skills.noWorkflowsMend : undefined}</Nothing>
          )}
          {items.map((link) => (
            <Linked key={`${link.wfDefId} ${link.workflowRole}`} link={link} />
          ))}
          <ForWriters>
            <NewLink skillId={skillId} />
          </ForWriters>
        </div>
      )}
    </Answer>
  );
}

function Linked({ link }: { readonly link: Link }) {
  const { skills, records, workflows } = useTexts();
  const hostId = useHost();
  const { skillId, wfDefId, workflowRole, name, version, lifecycleStatus, findings } = link;
  return (
    <Card isCompact>
      <CardTitle component="h2">
        <To to={`/workflows/${wfDefId}`}>{name}</To> <Label isCompact>{version}</Label>{' '}
        <Label isCompact>{workflows.statuses[lifecycleStatus]}</Label>{' '}
        <Label isCompact color="blue">
          {skills.roles[workflowRole]}
        </Label>
      </CardTitle>
      <CardBody>
        {findings.length > 0 && (
          <Alert component="h3" isInline variant="warning" title={skills.findings}>
            <List>
              {findings.map(({ path, code, message }) => (
                <ListItem key={`${path} ${code}`}>
                  <code>{path}</code> {message}
                </ListItem>
              ))}
            </List>
          </Alert>
        )}
        <Backing link={link} />
        <WriteButton
          variant="link"
          size="sm"
          aria-label={skills.unlink(name)}
          write={() =>
            given(
              api.DELETE('/v1/hosts/{hostId}/skills/{skillId}/workflows/{wfDefId}/{workflowRole}', {
                params: { path: { hostId, skillId, wfDefId, workflowRole } },
              }),
            )
          }
        >
          {records.remove}
        </WriteButton>
      </CardBody>
    </Card>
  );
}

/** The steps of the definition beside the skill's tools; its text when it is asked for. */
function Backing({ link: { skillId, wfDefId, lifecycleStatus } }: { readonly link: Link }) {
  const { workflows } = useTexts();
  const workflow = useWorkflow(wfDefId);
  const mayWrite = useMay('catalog:write');
  // Once opened it stays, since something may be typed in it.
  const [isOpen, setOpen] = useState<boolean>();
  return (
    <Answer of={workflow}>
      {(found) =>
        found.definition === null ? (
          <p>{workflows.definitionHidden}</p>
        ) : (
          <div className="portal-stack">
            {isOpen !== undefined && (
              <div hidden={!isOpen}>
                <WorkflowText workflow={found} skillId={skillId} />
              </div>
            )}
            {isOpen !== true && <Outlined words={wordsOf(found)} skillId={skillId} />}
            <div>
              <Button
                variant="secondary"
                size="sm"
                aria-expanded={isOpen === true}
                onClick={() => setOpen(isOpen !== true)}
              >
                {isOpen === true
                  ? workflows.close
                  : mayWrite && lifecycleStatus === 'DRAFT'
                    ? workflows.edit
                    : workflows.read}
              </Button>
            </div>
          </div>
        )
      }
    </Answer>
  );
}

function Outlined({ words, skillId }: { readonly words: WorkflowWords; readonly skillId: string }) {
  const outline = useOutline(words, skillId);
  return <Answer of={outline}>{({ steps }) => <Steps name={words.name} steps={steps} />}</Answer>;
}

function NewLink({ skillId }: { readonly skillId: string }) {
  const { skills, records } = useTexts();
  const hostId = useHost();
  const [wfDefId, setWorkflow] = useState('');
  const [workflowRole, setRole] = useState<Role>('primary');
  const known = useQuery({
    queryKey: ['workflows to link', hostId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/workflows', { params: { path: { hostId }, query: { limit: 100 } } })),
  });
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      given(
        api.PUT('/v1/hosts/{hostId}/skills/{skillId}/workflows/{wfDefId}/{workflowRole}', {
          params: { path: { hostId, skillId, wfDefId, workflowRole } },
          body: {},
        }),
      ),
  });
  return (
    <>
      <Title headingLevel="h2" size="md">
        {skills.linkWorkflow}
      </Title>
      <div>
        <GoTo variant="secondary" to="/workflows/new" search={{ skillId }}>
          {skills.newWorkflow}
        </GoTo>
      </div>
      <NewRecordForm add={add} failed={skills.notLinked} create={records.add} isComplete={wfDefId !== ''}>
        <FormGroup label={skills.chooseWorkflow} fieldId="link-workflow">
          <FormSelect id="link-workflow" value={wfDefId} onChange={(_, id) => setWorkflow(id)}>
            <FormSelectOption value="" label="" />
            {known.data?.items.map(({ wfDefId: id, namespace, name, version }) => (
              <FormSelectOption key={id} value={id} label={`${namespace} · ${name} · ${version}`} />
            ))}
          </FormSelect>
        </FormGroup>
        <FormGroup label={skills.role} fieldId="link-role">
          <FormSelect id="link-role" value={workflowRole} onChange={(_, role) => setRole(role as Role)}>
            {Object.entries(skills.roles).map(([role, title]) => (
              <FormSelectOption key={role} value={role} label={title} />
            ))}
          </FormSelect>
        </FormGroup>
      </NewRecordForm>
    </>
  );
}
