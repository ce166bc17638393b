import { Button, Checkbox, Flex, FormSelect, FormSelectOption, List, ListItem } from '@patternfly/react-core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { WriteButton } from '../../parts/for-writers.tsx';
import { ActiveLabel } from '../../parts/labels.tsx';
import { Narrow, useNarrowing } from '../../parts/narrowing.tsx';
import { Answer } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

function useDependencies(skillId: string) {
  const hostId = useHost();
  const path = { hostId, skillId };
  const list = useQuery({
    queryKey: ['dependencies', hostId, skillId],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/skills/{skillId}/dependencies', {
          params: { path, query: { limit: 100 } },
        }),
      ),
  });
  const put = useMutation({
    mutationFn: ({ id, required }: { readonly id: string; readonly required: boolean }) =>
      given(
        api.PUT('/v1/hosts/{hostId}/skills/{skillId}/dependencies/{dependsOnSkillId}', {
          params: { path: { ...path, dependsOnSkillId: id } },
          body: { required },
        }),
      ),
  });
  const remove = (dependsOnSkillId: string) =>
    given(
      api.DELETE('/v1/hosts/{hostId}/skills/{skillId}/dependencies/{dependsOnSkillId}', {
        params: { path: { ...path, dependsOnSkillId } },
      }),
    );
  return { list, put, remove };
}

/** The skills that this one builds on; without one that it requires, an agent is not given it. */
export function Dependencies({ skillId }: { readonly skillId: string }) {
  const { skills, records } = useTexts();
  const { list, put, remove } = useDependencies(skillId);
  const mayWrite = useMay('catalog:write');
  return (
    <Answer of={list}>
      {({ items }) => (
        <div className="portal-stack">
          <strong>{skills.dependencies}</strong>
          {items.length === 0 && <span className="portal-subtle">{skills.noDependencies}</span>}
          <List isPlain>
            {items.map(({ dependsOnSkillId: id, skillName, skillActive, required }) => (
              <ListItem key={id}>
                <Flex gap={{ default: 'gapSm' }} alignItems={{ default: 'alignItemsCenter' }}>
                  <To to={`/skills/${id}`}>{skillName}</To>
                  {!skillActive && <ActiveLabel isActive={false} />}
                  <Checkbox
                    id={`required-${id}`}
                    label={skills.required}
                    aria-label={skills.requires(skillName)}
                    isChecked={required}
                    isDisabled={!mayWrite}
                    onChange={(_, isOn) => put.mutate({ id, required: isOn })}
                  />
                  <WriteButton
                    variant="link"
                    size="sm"
                    aria-label={skills.unlink(skillName)}
                    write={() => remove(id)}
                  >
                    {records.remove}
                  </WriteButton>
                </Flex>
              </ListItem>
            ))}
          </List>
          {mayWrite && (
            <Add
              besides={new Set([skillId, ...items.map(({ dependsOnSkillId }) => dependsOnSkillId)])}
              add={(id) => put.mutate({ id, required: true })}
            />
          )}
        </div>
      )}
    </Answer>
  );
}

function Add({
  besides,
  add,
}: {
  readonly besides: ReadonlySet<string>;
  readonly add: (skillId: string) => void;
}) {
  const { skills } = useTexts();
  const hostId = useHost();
  const [isOpen, setOpen] = useState(false);
  const narrowing = useNarrowing();
  const { asked } = narrowing;
  const known = useQuery({
    queryKey: ['skills to depend on', hostId, asked],
    placeholderData: keepPreviousData,
    enabled: isOpen,
    queryFn: () => {
      const query = { limit: 100, active: 'all' as const, ...asked };
      return given(api.GET('/v1/hosts/{hostId}/skills', { params: { path: { hostId }, query } }));
    },
  });
  if (!isOpen)
    return (
      <div>
        <Button variant="link" isInline onClick={() => setOpen(true)}>
          {skills.addDependency}
        </Button>
      </div>
    );
  return (
    <>
      <Narrow of={narrowing} kind={skills.title} hasMore={known.data?.nextCursor !== undefined} />
      <FormSelect
        aria-label={skills.addDependency}
        className="portal-short"
        value=""
        onChange={(_, id) => {
          setOpen(false);
          narrowing.setWords('');
          add(id);
        }}
      >
        <FormSelectOption value="" label={skills.addDependency} />
        {(known.data?.items ?? [])
          .filter(({ skillId }) => !besides.has(skillId))
          .map(({ skillId, name }) => (
            <FormSelectOption key={skillId} value={skillId} label={name} />
          ))}
      </FormSelect>
    </>
  );
}
