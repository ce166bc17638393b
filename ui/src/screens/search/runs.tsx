import { Button, Form, FormGroup, FormSelect, FormSelectOption, Grid } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { AgentChoice, useAgents } from '../../parts/agent-choice.tsx';
import { Records } from '../../parts/records.tsx';
import { Nothing } from '../../parts/states.tsx';
import { Refusal } from '../../parts/text-field.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** Runs of evaluations, and a new one. */
export function Runs() {
  const { searching } = useTexts();
  const { moment, number } = useFormats();
  const hostId = useHost();
  const agents = useAgents();
  const nameOf = (id: string | null) =>
    id === null ? searching.anyAgent : (agents.find(({ agentDefId }) => agentDefId === id)?.name ?? id);
  return (
    <div className="portal-stack">
      <NewRun />
      <Records
        title={searching.evaluations}
        question={['evaluations', hostId]}
        ask={(query) =>
          given(api.GET('/v1/hosts/{hostId}/evaluations', { params: { path: { hostId }, query } }))
        }
        id={({ id }) => id}
        columns={[
          {
            title: searching.when,
            cell: ({ id, updateTs }) => <To to={`/evaluations/${id}`}>{moment(updateTs)}</To>,
          },
          { title: searching.dataSet, cell: ({ dataSet }) => dataSet || searching.ownRows },
          { title: searching.agent, cell: ({ agentDefId }) => nameOf(agentDefId) },
          { title: searching.prompts, cell: ({ metrics }) => number(metrics.prompts) },
          { title: searching.hit1, cell: ({ metrics }) => number(metrics.hit1) },
          { title: searching.recall5, cell: ({ metrics }) => number(metrics.recall[5] ?? 0) },
          { title: searching.mrr, cell: ({ metrics }) => number(metrics.mrr) },
          { title: searching.forbidden, cell: ({ metrics }) => number(metrics.forbiddenHits) },
          { title: searching.by, cell: ({ updateUser }) => updateUser },
        ]}
        nothing={<Nothing title={searching.noRuns}>{searching.noRunsMend}</Nothing>}
      />
    </div>
  );
}

/** Stands for the prompts that tools bring themselves: no data set may have this name, since it holds a line end. */
const own = '\n';

function NewRun() {
  const { searching } = useTexts();
  const hostId = useHost();
  const navigate = useNavigate();
  const agents = useAgents();
  const [dataSet, setDataSet] = useState(own);
  const [agentDefId, setAgent] = useState('');
  const sets = useQuery({
    queryKey: ['data sets to choose', hostId],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/evaluation-sets', {
          params: { path: { hostId }, query: { limit: 100 } },
        }),
      ),
  });
  const run = useMutation({
    meta: { quiet: true },
    mutationFn: () => {
      const agent = agents.find((each) => each.agentDefId === agentDefId);
      return given(
        api.POST('/v1/hosts/{hostId}/evaluations', {
          params: { path: { hostId } },
          body: {
            ...(dataSet === own ? { self: true } : { dataSet }),
            ...(agent && { agentDefId, serviceId: agent.serviceId, envTag: agent.envTag }),
          },
        }),
      );
    },
    onSuccess: ({ id }) => navigate({ to: `/evaluations/${id}` }),
  });
  return (
    <Form
      isWidthLimited
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate();
      }}
    >
      <Refusal title={searching.notRun} error={run.error} />
      <Grid hasGutter md={6}>
        <FormGroup label={searching.dataSet} fieldId="run-set">
          <FormSelect id="run-set" value={dataSet} onChange={(_, name) => setDataSet(name)}>
            <FormSelectOption value={own} label={searching.self} />
            {sets.data?.items.map(({ name, rowCount }) => (
              <FormSelectOption key={name} value={name} label={`${name} (${String(rowCount)})`} />
            ))}
          </FormSelect>
        </FormGroup>
        <AgentChoice
          id="run-agent"
          label={searching.agent}
          any={searching.anyAgent}
          value={agentDefId}
          change={setAgent}
        />
      </Grid>
      <div>
        <Button type="submit" isLoading={run.isPending} isDisabled={run.isPending}>
          {searching.run}
        </Button>
      </div>
    </Form>
  );
}
