import { ActionGroup, Alert, Button, Flex, NumberInput } from '@patternfly/react-core';
import GripVerticalIcon from '@patternfly/react-icons/dist/esm/icons/grip-vertical-icon';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useMutation } from '@tanstack/react-query';
import { useState, type DragEvent } from 'react';
import { api, ApiFault, given } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { Conflict } from '../../parts/conflict.tsx';
import { ForWriters } from '../../parts/for-writers.tsx';
import { ActiveLabel } from '../../parts/labels.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { arranged, linksOf, moved, textOf, useArrangement, type Link } from './order.ts';

interface Own {
  readonly agentDefId: string;
  /** As the agent reads them. */
  readonly links: readonly Link[];
}

/** The skills that an agent has, arranged by drag or by keyboard, and saved at once. */
export function Assigned({ agentDefId, links }: Own) {
  const { agents, records } = useTexts();
  const { number } = useFormats();
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<string>();
  const arrangement = useArrangement(agentDefId, links);
  const { draft, changes, rows, save } = arrangement;
  // Buttons that can’t be used now keep the focus of the keyboard.
  const isIdle = changes.length === 0 || save.isPending;
  const move = (from: number, to: number) => {
    const name = rows[from]?.skillName;
    if (name === undefined || to < 0 || to >= rows.length) return;
    arrangement.place(moved(rows, from, to));
    setSaid(agents.placed(name, number(to + 1), number(rows.length)));
  };
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
              prioritise={(priority) => arrangement.prioritise(link, priority)}
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
      <Trouble agentDefId={agentDefId} of={arrangement} />
      <ForWriters>
        <ActionGroup>
          <Button
            isLoading={save.isPending}
            isAriaDisabled={isIdle}
            onClick={() => save.mutate({ changes, draft })}
          >
            {agents.saveOrder}
          </Button>
          <Button variant="link" isAriaDisabled={isIdle} onClick={arrangement.drop}>
            {records.cancel}
          </Button>
        </ActionGroup>
      </ForWriters>
    </div>
  );
}

interface Troubled {
  readonly agentDefId: string;
  readonly of: ReturnType<typeof useArrangement>;
}

/** Why it was not saved, and who has saved meanwhile what is arranged here. */
function Trouble({ agentDefId, of: { draft, before, changes, drop, keepMine, save } }: Troubled) {
  const { agents, drafts } = useTexts();
  const hostId = useHost();
  const { error } = save;
  if (error instanceof ApiFault && error.status === 412)
    return (
      <Conflict
        question={['assignments', hostId, agentDefId]}
        ask={async () => {
          const links = await linksOf(hostId, agentDefId);
          // Those before it were written: the first that is left is what was refused.
          const refused = links.find(({ skillId }) => skillId === changes[0]?.link.skillId) ?? links[0];
          return { links, updateUser: refused?.updateUser ?? '' };
        }}
        textOf={({ links }) => textOf(links)}
        base={textOf(before)}
        mine={textOf(arranged(before, draft.order), draft.priorities)}
        takeTheirs={drop}
        keepMine={({ links }) => keepMine(links)}
      />
    );
  const behind = changes.find(({ link, over }) => over !== link.aggregateVersion);
  if (error === null && (behind === undefined || save.isPending)) return null;
  return (
    <Alert
      component="h2"
      isInline
      variant={error === null ? 'info' : 'danger'}
      title={error === null ? drafts.behind(behind?.link.updateUser ?? '') : agents.notSaved}
    >
      {error?.message}
    </Alert>
  );
}

interface Given {
  readonly link: Link;
  readonly place: readonly [index: number, of: number];
  readonly priority: number | '';
  readonly prioritise: (priority: number | '') => void;
  readonly move: (to: number) => void;
  readonly drag: (isOn: boolean) => void;
  /** Where one is dragged: what is done when it is let go on this row. */
  readonly drop?: () => void;
}

function Row({ link, place: [index, of], priority, prioritise, move, drag, drop }: Given) {
  const { agents } = useTexts();
  const { number } = useFormats();
  const mayWrite = useMay('catalog:write');
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
        <ForWriters>
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
        </ForWriters>
        {number(index + 1)}
      </Td>
      <Td dataLabel={agents.skill}>
        <To to={`/skills/${skillId}`}>{skillName}</To>
      </Td>
      <Td dataLabel={agents.priority}>
        {mayWrite ? <Priority name={skillName} value={priority} change={prioritise} /> : priority}
      </Td>
      <Td dataLabel={agents.state}>
        <ActiveLabel isActive={active && skillActive} />
        {!skillHasActiveTool && <div className="portal-subtle">{agents.noActiveTool}</div>}
      </Td>
      <Td>
        <ForWriters>
          <Flex gap={{ default: 'gapSm' }}>
            <Button
              variant="link"
              size="sm"
              aria-label={agents.up(skillName)}
              isAriaDisabled={index === 0}
              onClick={() => move(index - 1)}
            >
              ↑
            </Button>
            <Button
              variant="link"
              size="sm"
              aria-label={agents.down(skillName)}
              isAriaDisabled={index === of - 1}
              onClick={() => move(index + 1)}
            >
              ↓
            </Button>
            <Remove link={link} />
          </Flex>
        </ForWriters>
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

function Remove({ link: { agentDefId, skillId, skillName } }: { readonly link: Link }) {
  const { agents, records } = useTexts();
  const path = { hostId: useHost(), agentDefId, skillId };
  const remove = useMutation({
    mutationFn: () =>
      given(api.DELETE('/v1/hosts/{hostId}/agents/{agentDefId}/skills/{skillId}', { params: { path } })),
  });
  return (
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
  );
}
