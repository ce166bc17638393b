import { Card, CardBody, CardTitle, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Facts } from '../../parts/facts.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed, useSearchState } from '../../parts/search-state.ts';
import { Answer } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { Confusions, Flips, Prompts } from './results.tsx';

function useRun(evaluationId: string) {
  const hostId = useHost();
  return useQuery({
    queryKey: ['evaluation', hostId, evaluationId],
    enabled: evaluationId !== '',
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/evaluations/{evaluationId}', {
          params: { path: { hostId, evaluationId } },
        }),
      ),
  });
}

/** One run: its figures, what it took for what, every prompt; beside another run also what changed. */
export default function Evaluation() {
  const { searching } = useTexts();
  const { moment } = useFormats();
  const run = useRun(useAddressed('evaluationId'));
  return (
    <Screen
      title={run.data === undefined ? searching.evaluation : run.data.dataSet || searching.ownRows}
      lead={run.data && `${moment(run.data.updateTs)} · ${run.data.updateUser}`}
      above={{ to: '/search', title: searching.title }}
    >
      <Answer of={run}>{(found) => <Results run={found} />}</Answer>
    </Screen>
  );
}

function Results({ run }: { readonly run: Of<'Evaluation'> }) {
  const { searching } = useTexts();
  const { number } = useFormats();
  const [{ against = '' }, set] = useSearchState();
  const former = useRun(against);
  const { metrics, agentDefId, position } = run;
  return (
    <div className="portal-stack">
      <Facts
        of={[
          [searching.prompts, number(metrics.prompts)],
          [searching.hit1, number(metrics.hit1)],
          [searching.recall5, number(metrics.recall[5] ?? 0)],
          [searching.mrr, number(metrics.mrr)],
          [searching.ndcg, number(metrics.ndcg10)],
          [searching.forbidden, number(metrics.forbiddenHits)],
          [searching.agent, agentDefId ?? searching.anyAgent],
          [searching.position, number(position)],
        ]}
      />
      <Card isCompact>
        <CardTitle component="h2">{searching.compare}</CardTitle>
        <CardBody>
          <Other run={run} value={against} change={(id) => set({ against: id === '' ? undefined : id })} />
        </CardBody>
        {against !== '' && (
          <CardBody>
            <Answer of={former}>{(before) => <Flips before={before} now={run} />}</Answer>
          </CardBody>
        )}
      </Card>
      <Confusions run={run} />
      <Prompts run={run} />
    </div>
  );
}

interface Chosen {
  readonly run: Of<'Evaluation'>;
  readonly value: string;
  readonly change: (id: string) => void;
}

/** Another run of the same data set. */
function Other({ run, value, change }: Chosen) {
  const { searching } = useTexts();
  const { moment, number } = useFormats();
  const hostId = useHost();
  const runs = useQuery({
    queryKey: ['runs to compare with', hostId],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/evaluations', { params: { path: { hostId }, query: { limit: 100 } } }),
      ),
  });
  const others = (runs.data?.items ?? []).filter(
    ({ id, dataSet }) => id !== run.id && dataSet === run.dataSet,
  );
  return (
    <FormSelect aria-label={searching.compare} value={value} onChange={(_, id) => change(id)}>
      <FormSelectOption value="" label={searching.noComparison} />
      {others.map(({ id, updateTs, metrics }) => (
        <FormSelectOption key={id} value={id} label={`${moment(updateTs)} · ${number(metrics.hit1)}`} />
      ))}
    </FormSelect>
  );
}
