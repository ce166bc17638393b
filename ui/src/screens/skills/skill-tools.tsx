import { Button, SearchInput, Title } from '@patternfly/react-core';
import { ExpandableRowContent, Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { ForWriters, WriteButton } from '../../parts/for-writers.tsx';
import { TierLabel } from '../../parts/labels.tsx';
import { useSettled } from '../../parts/settled.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Access, LinkSettings, Range, rangeOf, useLink } from './link-settings.tsx';
import { LinkState, useProblems } from './link-state.tsx';

type Link = Of<'SkillTool'>;

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
            <>
              <Links links={items} problems={problems} />
              <p className="portal-subtle">{skills.rangeHelp}</p>
            </>
          )}
          <ForWriters>
            <AddTool skillId={skillId} linked={new Set(items.map(({ toolId }) => toolId))} />
          </ForWriters>
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
    <Table variant="compact" className="portal-middle" aria-label={skills.tools}>
      <Thead>
        <Tr>
          <Th>{skills.tool}</Th>
          <Th>{skills.access}</Th>
          <Th>{skills.range}</Th>
          <Th modifier="nowrap">{skills.tier}</Th>
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
  const { skills, records } = useTexts();
  const { toolId, toolName } = link;
  const { read, write, remove, question } = useLink(link);
  // Once opened it stays, since something may be typed in it.
  const [isOpen, setOpen] = useState<boolean>();
  const draft = useDraft({ saved: rangeOf(link), wordsOf: ({ range }) => ({ range }), write });
  return (
    <Tbody isExpanded={isOpen === true}>
      <Tr>
        <Td dataLabel={skills.tool}>
          <To to={`/tools/${toolId}`}>{toolName}</To>
        </Td>
        <Td dataLabel={skills.access}>
          <Access link={link} />
        </Td>
        <Td dataLabel={skills.range}>
          <Range link={link} draft={draft} />
        </Td>
        <Td dataLabel={skills.tier}>
          <TierLabel tier={link.sensitivityTier} />
        </Td>
        <Td dataLabel={skills.state}>{state}</Td>
        <Td>
          <Button
            variant="link"
            size="sm"
            aria-expanded={isOpen === true}
            aria-label={skills.settingsOf(toolName)}
            onClick={() => setOpen(isOpen !== true)}
          >
            {skills.settingsTitle}
          </Button>
          <WriteButton variant="link" isDanger size="sm" aria-label={skills.unlink(toolName)} write={remove}>
            {records.remove}
          </WriteButton>
        </Td>
      </Tr>
      {(draft.error !== null || draft.behind !== null) && (
        <Tr>
          <Td colSpan={6}>
            <DraftTrouble
              draft={draft}
              question={[...question, 'range']}
              ask={async () => rangeOf(await read())}
              textOf={({ range }) => range}
            />
          </Td>
        </Tr>
      )}
      {isOpen !== undefined && (
        <Tr isExpanded={isOpen}>
          <Td colSpan={6}>
            <ExpandableRowContent>
              <LinkSettings link={link} />
            </ExpandableRowContent>
          </Td>
        </Tr>
      )}
    </Tbody>
  );
}

function AddTool({ skillId, linked }: { readonly skillId: string; readonly linked: ReadonlySet<string> }) {
  const { skills, records } = useTexts();
  const hostId = useHost();
  const [words, setWords] = useState('');
  const q = useSettled(words.trim());
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
      <Table variant="compact" className="portal-middle" aria-label={skills.addTool}>
        <Tbody>
          {items.map(({ toolId, name, description }) => (
            <Tr key={toolId}>
              <Td width={20}>{name}</Td>
              <Td className="portal-subtle">{description}</Td>
              <Td modifier="fitContent">
                <WriteButton
                  variant="secondary"
                  size="sm"
                  aria-label={skills.link(name)}
                  write={() =>
                    given(
                      api.PUT('/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}', {
                        params: { path: { hostId, skillId, toolId } },
                        body: {},
                      }),
                    )
                  }
                >
                  {records.add}
                </WriteButton>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </section>
  );
}
