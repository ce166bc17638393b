import { Alert, Button, Checkbox, List, ListItem, SearchInput, Title } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ForWriters } from '../../parts/for-writers.tsx';
import { notify } from '../../parts/notices.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { useSettled } from '../../parts/settled.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Assigned } from './assigned.tsx';
import { linksOf, type Link } from './order.ts';

/** The skills of an agent, in the order in which it reads them. */
export function Assignment({ agentDefId }: { readonly agentDefId: string }) {
  const { agents } = useTexts();
  const hostId = useHost();
  const links = useQuery({
    queryKey: ['assignments', hostId, agentDefId],
    queryFn: () => linksOf(hostId, agentDefId),
  });
  return (
    <Answer of={links}>
      {(items) => (
        <div className="portal-stack">
          {items.length === 0 ? (
            <Nothing title={agents.noSkills}>{agents.noSkillsMend}</Nothing>
          ) : (
            <Assigned agentDefId={agentDefId} links={items} />
          )}
          <ForWriters>
            <AddSkills agentDefId={agentDefId} links={items} />
          </ForWriters>
        </div>
      )}
    </Answer>
  );
}

/** Skills are chosen, tried, and given at once. */
function AddSkills({ agentDefId, links }: { readonly agentDefId: string; readonly links: readonly Link[] }) {
  const { agents, records } = useTexts();
  const hostId = useHost();
  const [{ skillId: wanted = '', skillName = '' }, set] = useSearchState();
  const isWanted = wanted !== '' && links.every(({ skillId }) => skillId !== wanted);
  const [words, setWords] = useState(isWanted ? skillName : '');
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(
    new Map(isWanted ? [[wanted, skillName]] : []),
  );
  const q = useSettled(words.trim());
  const found = useQuery({
    queryKey: ['skills to assign', hostId, q],
    queryFn: () => {
      const query = { limit: 50, active: 'all' as const, ...(q === '' ? {} : { q }) };
      return given(api.GET('/v1/hosts/{hostId}/skills', { params: { path: { hostId }, query } }));
    },
  });
  const last = Math.max(0, ...links.map(({ sequenceId }) => sequenceId));
  const body = {
    skills: [...chosen.keys()].map((skillId, index) => ({ skillId, sequenceId: last + index + 1 })),
  };
  const params = { path: { hostId, agentDefId } };
  const preflight = useQuery({
    queryKey: ['preflight', hostId, agentDefId, [...chosen.keys()]],
    enabled: chosen.size > 0,
    queryFn: () =>
      given(api.POST('/v1/hosts/{hostId}/agents/{agentDefId}/skills/validate', { params, body })),
  });
  const assign = useMutation({
    mutationFn: () => given(api.POST('/v1/hosts/{hostId}/agents/{agentDefId}/skills', { params, body })),
    onSuccess: () => {
      setChosen(new Map());
      notify('success', agents.assigned);
      set({ tab: 'catalog' });
    },
  });
  const problems = (preflight.data?.items ?? []).flatMap(({ skillId, problems: own }) =>
    own.map(({ code, message }) => ({
      key: `${skillId} ${code}`,
      text: `${chosen.get(skillId) ?? ''}: ${message}`,
    })),
  );
  const assigned = new Set(links.map(({ skillId }) => skillId));
  const choosable = (found.data?.items ?? []).filter(({ skillId }) => !assigned.has(skillId));
  return (
    <section className="portal-stack">
      <Title headingLevel="h2">{agents.addSkills}</Title>
      <SearchInput
        aria-label={agents.findSkill}
        placeholder={agents.findSkill}
        value={words}
        onChange={(_, text) => setWords(text)}
        onClear={() => setWords('')}
      />
      {choosable.map(({ skillId, name, description, active }) => (
        <Checkbox
          key={skillId}
          id={`assign-${skillId}`}
          label={name}
          description={active ? description : <To to={`/skills/${skillId}`}>{agents.inactiveSkill}</To>}
          isDisabled={!active}
          isChecked={chosen.has(skillId)}
          onChange={(_, isOn) => {
            const next = new Map(chosen);
            if (isOn) next.set(skillId, name);
            else next.delete(skillId);
            setChosen(next);
          }}
        />
      ))}
      {found.data !== undefined && choosable.length === 0 && (
        <p>
          {found.data.nextCursor !== undefined
            ? records.typeMore
            : q === ''
              ? agents.noMoreSkills
              : agents.noSuchSkill}{' '}
          <To to="/skills/new">{agents.makeSkill}</To>
        </p>
      )}
      {problems.length > 0 && (
        <Alert component="h2" isInline variant="warning" title={agents.problems}>
          <List>
            {problems.map(({ key, text }) => (
              <ListItem key={key}>{text}</ListItem>
            ))}
          </List>
        </Alert>
      )}
      {chosen.size > 0 && (
        <div>
          <Button
            isDisabled={problems.length > 0 || preflight.isFetching || assign.isPending}
            isLoading={assign.isPending}
            onClick={() => assign.mutate()}
          >
            {agents.assign(chosen.size)}
          </Button>
        </div>
      )}
    </section>
  );
}
