import { ActionGroup, Alert, Button, Flex, NumberInput } from '@patternfly/react-core';
import GripVerticalIcon from '@patternfly/react-icons/dist/esm/icons/grip-vertical-icon';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type DragEvent } from 'react';
import { api, ApiFault, given, ifMatch } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ActiveLabel } from '../../parts/labels.tsx';
import { notify } from '../../parts/notices.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { arranged, changesOf, moved, type Change, type Draft, type Link } from './order.ts';

const untouched: Draft = { priorities: new Map() };

/** The skills that an agent has, arranged by drag or by keyboard, and saved at once. */
export function Assigned({
  agentDefId,
  links,
}: {
  readonly agentDefId: string;
  /** As the agent reads them. */
  readonly links: readonly Link[];
}) {
  const { agents, records } = useTexts();
  const { number } = useFormats();
  const [draft, setDraft] = useState(untouched);
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<string>();
  const rows = arranged(links, draft.order);
  const changes = changesOf(links, draft);
  // What is arranged while it saves stays.
  const save = useSave(agentDefId, (sent) => setDraft((now) => (now === sent ? untouched : now)));
  // Buttons that can’t be used now keep the focus of the keyboard.
  const isIdle = changes.length === 0 || save.isPending;
  const move = (from: number, to: number) => {
    const name = rows[from]?.skillName;
    if (name === undefined || to < 0 || to >= rows.length) return;
    setDraft({ ...draft, order: moved(rows, from, to).map(({ skillId }) => skillId) });
    setSaid(agents.placed(name, number(to + 1), number(rows.length)));
  };
  const prioritise = (skillId: string, priority: number | '') =>
    setDraft({ ...draft, priorities: new Map(draft.priorities).set(skillId, priority) });
  return (
    <div className="portal-stack">
      <Table variant="compact" aria-label={agents.assignment}>
        <Thead>
          <Tr>
            <Th>{agents.order}</Th>
            <Th width={30}>{agents.skill}</Th>
            <Th>{agents.priority}</Th>
            <Th>{agents.state}</Th>
            <Th screenReaderText={agents.actions} />
          </Tr>
        </Thead>
        <Tbody>
          {rows.map((link, index) => (
            <Row
              key={link.skillId}
              link={link}
              place={[index, rows.length]}
              priority={draft.priorities.get(link.skillId) ?? link.priority}
              prioritise={prioritise}
              move={(to) => move(index, to)}
              drag={(isOn) => setDragged(isOn ? link.skillId : undefined)}
              {...(dragged !== undefined && {
                drop: () =>
                  move(
                    rows.findIndex(({ skillId }) => skillId === dragged),
                    index,
                  ),
              })}
            />
          ))}
        </Tbody>
      </Table>
      <span className="pf-v6-screen-reader" aria-live="polite">
        {said}
      </span>
      {save.error !== null && (
        <Alert component="h2" isInline variant="danger" title={agents.notSaved}>
          {save.error instanceof ApiFault && save.error.status === 412
            ? agents.changedMeanwhile
            : save.error.message}
        </Alert>
      )}
      <ActionGroup>
        <Button
          isLoading={save.isPending}
          isAriaDisabled={isIdle}
          onClick={() => save.mutate({ changes, draft })}
        >
          {agents.saveOrder}
        </Button>
        <Button variant="link" isAriaDisabled={isIdle} onClick={() => setDraft(untouched)}>
          {records.cancel}
        </Button>
      </ActionGroup>
    </div>
  );
}

/** Writes each over the version that was seen. Where one is refused, those before it are written, and all are read again. */
function useSave(agentDefId: string, done: (sent: Draft) => void) {
  const { records } = useTexts();
  const hostId = useHost();
  const queries = useQueryClient();
  const reread = () => queries.invalidateQueries({ queryKey: ['assignments', hostId, agentDefId] });
  return useMutation({
    meta: { quiet: true },
    mutationFn: async ({ changes }: { readonly changes: readonly Change[]; readonly draft: Draft }) => {
      for (const { skillId, version, body } of changes) {
        const path = { hostId, agentDefId, skillId };
        await given(
          api.PATCH('/v1/hosts/{hostId}/agents/{agentDefId}/skills/{skillId}', {
            params: { path, header: ifMatch(version) },
            body,
          }),
        );
      }
    },
    onSuccess: async (_, { draft }) => {
      await reread();
      done(draft);
      notify('success', records.saved);
    },
    onError: reread,
  });
}

interface Given {
  readonly link: Link;
  readonly place: readonly [index: number, of: number];
  readonly priority: number | '';
  readonly prioritise: (skillId: string, priority: number | '') => void;
  readonly move: (to: number) => void;
  readonly drag: (isOn: boolean) => void;
  /** Where one is dragged: what is done when it is let go on this row. */
  readonly drop?: () => void;
}

function Row({ link, place: [index, of], priority, prioritise, move, drag, drop }: Given) {
  const { agents } = useTexts();
  const { number } = useFormats();
  const { skillId, skillName, active, skillActive, skillHasActiveTool } = link;
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <Tr
      className={isOver ? 'portal-over' : ''}
      {...(drop !== undefined && {
        onDragOver: over,
        onDragLeave: () => setOver(false),
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          setOver(false);
          drop();
        },
      })}
    >
      <Td dataLabel={agents.order}>
        <span
          draggable
          className="portal-grip"
          title={agents.drag(skillName)}
          onDragStart={(event) => {
            event.dataTransfer.setData('text/plain', skillName);
            event.dataTransfer.effectAllowed = 'move';
            const row = event.currentTarget.closest('tr');
            if (row !== null) event.dataTransfer.setDragImage(row, 0, 0);
            drag(true);
          }}
          onDragEnd={() => drag(false)}
        >
          <GripVerticalIcon />
        </span>{' '}
        {number(index + 1)}
      </Td>
      <Td dataLabel={agents.skill}>
        <To to={`/skills/${skillId}`}>{skillName}</To>
      </Td>
      <Td dataLabel={agents.priority}>
        <Priority name={skillName} value={priority} change={(value) => prioritise(skillId, value)} />
      </Td>
      <Td dataLabel={agents.state}>
        <ActiveLabel isActive={active && skillActive} />
        {!skillHasActiveTool && <div className="portal-subtle">{agents.noActiveTool}</div>}
      </Td>
      <Td>
        <RowActions
          link={link}
          isFirst={index === 0}
          isLast={index === of - 1}
          by={(step) => move(index + step)}
        />
      </Td>
    </Tr>
  );
}

function Priority({
  name,
  value,
  change,
}: {
  readonly name: string;
  readonly value: number | '';
  readonly change: (value: number | '') => void;
}) {
  const { agents } = useTexts();
  return (
    <NumberInput
      value={value}
      widthChars={4}
      inputAriaLabel={agents.priorityOf(name)}
      minusBtnAriaLabel={agents.less(name)}
      plusBtnAriaLabel={agents.more(name)}
      onMinus={() => change(Number(value) - 1)}
      onPlus={() => change(Number(value) + 1)}
      onChange={(event) => {
        const { value: typed } = event.target as HTMLInputElement;
        if (typed === '' || Number.isInteger(Number(typed))) change(typed === '' ? '' : Number(typed));
      }}
    />
  );
}

function RowActions({
  link: { agentDefId, skillId, skillName },
  isFirst,
  isLast,
  by,
}: {
  readonly link: Link;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly by: (step: 1 | -1) => void;
}) {
  const { agents, records } = useTexts();
  const hostId = useHost();
  const remove = useMutation({
    mutationFn: () =>
      given(
        api.DELETE('/v1/hosts/{hostId}/agents/{agentDefId}/skills/{skillId}', {
          params: { path: { hostId, agentDefId, skillId } },
        }),
      ),
  });
  return (
    <Flex gap={{ default: 'gapSm' }}>
      <Button
        variant="link"
        size="sm"
        aria-label={agents.up(skillName)}
        isAriaDisabled={isFirst}
        onClick={() => by(-1)}
      >
        ↑
      </Button>
      <Button
        variant="link"
        size="sm"
        aria-label={agents.down(skillName)}
        isAriaDisabled={isLast}
        onClick={() => by(1)}
      >
        ↓
      </Button>
      <Button
        variant="link"
        isDanger
        size="sm"
        aria-label={agents.takeAway(skillName)}
        isDisabled={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {records.remove}
      </Button>
    </Flex>
  );
}
