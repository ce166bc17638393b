import { Button, FormSelect, FormSelectOption, SearchInput, TextInput, Title } from '@patternfly/react-core';
import { ExpandableRowContent, Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { TierLabel } from '../../parts/labels.tsx';
import { useSettled } from '../../parts/settled.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { LinkSettings } from './link-settings.tsx';
import { LinkState, useProblems } from './link-state.tsx';

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
  const problems = useProblems(skillId);
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
            <Links links={items} problems={problems} />
          )}
          <AddTool skillId={skillId} linked={new Set(items.map(({ toolId }) => toolId))} />
        </div>
      )}
    </Answer>
  );
}

function Links({
  links,
  problems,
}: {
  readonly links: readonly Link[];
  readonly problems: ReturnType<typeof useProblems>;
}) {
  const { skills } = useTexts();
  return (
    <Table variant="compact" aria-label={skills.tools}>
      <Thead>
        <Tr>
          <Th>{skills.tool}</Th>
          <Th>{skills.access}</Th>
          <Th>{skills.range}</Th>
          <Th>{skills.tier}</Th>
          <Th>{skills.state}</Th>
          <Th screenReaderText={skills.actions} />
        </Tr>
      </Thead>
      {links.map((link) => (
        <LinkRow
          key={link.toolId}
          link={link}
          state={<LinkState link={link} problems={problems.get(link.toolId) ?? []} />}
        />
      ))}
    </Table>
  );
}

function LinkRow({ link, state }: { readonly link: Link; readonly state: ReactNode }) {
  const { skills, records, access } = useTexts();
  const hostId = useHost();
  const put = useLink(link.skillId);
  const { skillId, toolId, toolName, accessLevel, config, range } = link;
  const [isOpen, setOpen] = useState(false);
  const save = (changes: Partial<Of<'PutSkillToolRequest'>>) =>
    put.mutate({ ...{ toolId, config, accessLevel }, ...(range === null ? {} : { range }), ...changes });
  const remove = useMutation({
    mutationFn: () =>
      given(
        api.DELETE('/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}', {
          params: { path: { hostId, skillId, toolId } },
        }),
      ),
  });
  return (
    <Tbody isExpanded={isOpen}>
      <Tr>
        <Td dataLabel={skills.tool}>
          <To to={`/tools/${toolId}`}>{toolName}</To>
        </Td>
        <Td dataLabel={skills.access}>
          <FormSelect
            aria-label={skills.accessOf(toolName)}
            value={accessLevel}
            onChange={(_, level) => save({ accessLevel: level as (typeof levels)[number] })}
          >
            {levels.map((level) => (
              <FormSelectOption key={level} value={level} label={access[level]} />
            ))}
          </FormSelect>
        </Td>
        <Td dataLabel={skills.range}>
          <Range link={link} put={put} />
        </Td>
        <Td dataLabel={skills.tier}>
          <TierLabel tier={link.sensitivityTier} />
        </Td>
        <Td dataLabel={skills.state}>{state}</Td>
        <Td>
          <Button
            variant="link"
            size="sm"
            aria-expanded={isOpen}
            aria-label={skills.settingsOf(toolName)}
            onClick={() => setOpen(!isOpen)}
          >
            {skills.settingsTitle}
          </Button>
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
      {isOpen && (
        <Tr isExpanded>
          <Td colSpan={6}>
            <ExpandableRowContent>
              <LinkSettings
                link={link}
                isSaving={put.isPending}
                save={(changed) => save({ config: changed })}
              />
            </ExpandableRowContent>
          </Td>
        </Tr>
      )}
    </Tbody>
  );
}

/** Which versions of a tool are taken: whom another range moves is said before it is saved. */
function Range({ link, put }: { readonly link: Link; readonly put: ReturnType<typeof useLink> }) {
  const { skills, records } = useTexts();
  const hostId = useHost();
  const { skillId, toolId, toolName, accessLevel, config } = link;
  const [range, setRange] = useState(link.range ?? '');
  const isMoved = range !== (link.range ?? '');
  const wanted = { config, accessLevel, ...(range === '' ? {} : { range }) };
  const asked = useSettled(range);
  const tried = useQuery({
    queryKey: ['range', hostId, skillId, toolId, asked, link.aggregateVersion],
    enabled: isMoved && asked === range,
    retry: false,
    queryFn: () =>
      given(
        api.PUT('/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}', {
          params: { path: { hostId, skillId, toolId } },
          body: { ...wanted, dryRun: true },
        }),
      ),
  });
  const agents = tried.data?.moves?.agents.map(({ name }) => name) ?? [];
  return (
    <>
      <TextInput
        aria-label={skills.rangeOf(toolName)}
        placeholder={skills.newest}
        value={range}
        onChange={(_, text) => setRange(text)}
      />
      {isMoved && tried.error !== null && <div className="portal-subtle">{tried.error.message}</div>}
      {isMoved && tried.data !== undefined && (
        <div className="portal-subtle">
          {agents.length === 0 ? skills.movesNobody : skills.moves(agents.join(', '))}
        </div>
      )}
      {isMoved && (
        <Button variant="link" size="sm" onClick={() => put.mutate({ toolId, ...wanted })}>
          {records.save}
        </Button>
      )}
    </>
  );
}

function AddTool({ skillId, linked }: { readonly skillId: string; readonly linked: ReadonlySet<string> }) {
  const { skills, records } = useTexts();
  const hostId = useHost();
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
  const put = useLink(skillId);
  const found = useQuery({
    queryKey: ['tools to link', hostId, q],
    queryFn: () => {
      const query = { limit: 50, ...(q === '' ? {} : { q }) };
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
      {found.data !== undefined && items.length === 0 && (
        <p>
          {found.data.nextCursor !== undefined
            ? records.typeMore
            : q === ''
              ? skills.noMoreTools
              : skills.noSuchTool}
        </p>
      )}
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
