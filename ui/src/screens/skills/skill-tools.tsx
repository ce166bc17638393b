import { Button, FormSelect, FormSelectOption, SearchInput, TextInput, Title } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ActiveLabel } from '../../parts/labels.tsx';
import { Answer, Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Link = Of<'SkillTool'>;
const levels = ['read', 'write', 'execute'] as const;

function useLink(skillId: string) {
  const hostId = useHost();
  return useMutation({
    mutationFn: ({ toolId, ...body }: Of<'PutSkillToolRequest'> & { readonly toolId: string }) =>
      given(
        api.PUT('/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}', {
          params: { path: { hostId, skillId, toolId } },
          body,
        }),
      ),
  });
}

/** The tools that a skill may use: how far each may go, and which versions of it. */
export function SkillTools({ skillId }: { readonly skillId: string }) {
  const { skills } = useTexts();
  const hostId = useHost();
  const links = useQuery({
    queryKey: ['skill tools', hostId, skillId],
    queryFn: async () => {
      // Every link, since what is not linked yet is told from it; a skill with more would be no use to an agent.
      const params = { path: { hostId, skillId }, query: { limit: 200 } };
      return (await given(api.GET('/v1/hosts/{hostId}/skills/{skillId}/tools', { params }))).items;
    },
  });
  return (
    <Answer of={links}>
      {(items) => (
        <div className="portal-stack">
          {items.length === 0 ? (
            <Nothing title={skills.noTools}>{skills.noToolsMend}</Nothing>
          ) : (
            <Links links={items} />
          )}
          <AddTool skillId={skillId} linked={new Set(items.map(({ toolId }) => toolId))} />
        </div>
      )}
    </Answer>
  );
}

function Links({ links }: { readonly links: readonly Link[] }) {
  const { skills } = useTexts();
  return (
    <Table variant="compact" aria-label={skills.tools}>
      <Thead>
        <Tr>
          <Th>{skills.tool}</Th>
          <Th>{skills.access}</Th>
          <Th>{skills.range}</Th>
          <Th>{skills.state}</Th>
          <Th screenReaderText={skills.actions} />
        </Tr>
      </Thead>
      <Tbody>
        {links.map((link) => (
          <LinkRow key={link.toolId} link={link} />
        ))}
      </Tbody>
    </Table>
  );
}

function LinkRow({ link }: { readonly link: Link }) {
  const { skills, records, access } = useTexts();
  const hostId = useHost();
  const put = useLink(link.skillId);
  const { skillId, toolId, toolName, accessLevel, config } = link;
  const [range, setRange] = useState(link.range ?? '');
  const remove = useMutation({
    mutationFn: () =>
      given(
        api.DELETE('/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}', {
          params: { path: { hostId, skillId, toolId } },
        }),
      ),
  });
  const isMoved = range !== (link.range ?? '');
  return (
    <Tr>
      <Td dataLabel={skills.tool}>
        <To to={`/tools/${toolId}`}>{toolName}</To>
      </Td>
      <Td dataLabel={skills.access}>
        <FormSelect
          aria-label={skills.accessOf(toolName)}
          value={accessLevel}
          onChange={(_, level) =>
            put.mutate({
              ...{ toolId, config, accessLevel: level as (typeof levels)[number] },
              ...(link.range === null ? {} : { range: link.range }),
            })
          }
        >
          {levels.map((level) => (
            <FormSelectOption key={level} value={level} label={access[level]} />
          ))}
        </FormSelect>
      </Td>
      <Td dataLabel={skills.range}>
        <TextInput
          aria-label={skills.rangeOf(toolName)}
          placeholder={skills.newest}
          value={range}
          onChange={(_, text) => setRange(text)}
        />
        {isMoved && (
          <Button
            variant="link"
            size="sm"
            onClick={() => put.mutate({ toolId, config, accessLevel, ...(range === '' ? {} : { range }) })}
          >
            {records.save}
          </Button>
        )}
      </Td>
      <Td dataLabel={skills.state}>
        <ActiveLabel isActive={link.toolActive} />
      </Td>
      <Td>
        <Button
          variant="link"
          isDanger
          size="sm"
          aria-label={skills.unlink(toolName)}
          onClick={() => remove.mutate()}
        >
          {records.remove}
        </Button>
      </Td>
    </Tr>
  );
}

function AddTool({ skillId, linked }: { readonly skillId: string; readonly linked: ReadonlySet<string> }) {
  const { skills, records } = useTexts();
  const hostId = useHost();
  const [words, setWords] = useState('');
  const q = useDeferredValue(words.trim());
  const put = useLink(skillId);
  const found = useQuery({
    queryKey: ['tools to link', hostId, q],
    queryFn: () => {
      const query = { limit: 10, ...(q === '' ? {} : { q }) };
      return given(api.GET('/v1/hosts/{hostId}/tools', { params: { path: { hostId }, query } }));
    },
  });
  const items = (found.data?.items ?? []).filter(({ toolId }) => !linked.has(toolId));
  return (
    <section className="portal-stack">
      <Title headingLevel="h2">{skills.addTool}</Title>
      <SearchInput
        aria-label={skills.findTool}
        placeholder={skills.findTool}
        value={words}
        onChange={(_, text) => setWords(text)}
        onClear={() => setWords('')}
      />
      <Table variant="compact" aria-label={skills.addTool}>
        <Tbody>
          {items.map(({ toolId, name, description }) => (
            <Tr key={toolId}>
              <Td width={20}>{name}</Td>
              <Td className="portal-subtle">{description}</Td>
              <Td modifier="fitContent">
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={skills.link(name)}
                  onClick={() => put.mutate({ toolId })}
                >
                  {records.add}
                </Button>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </section>
  );
}
