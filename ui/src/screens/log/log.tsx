import { ExpandableSection } from '@patternfly/react-core';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Code } from '../../parts/code.tsx';
import { ChoiceFilter } from '../../parts/filters.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { aboutOf, withNames, wordsOf, type LoggedEvent } from './event-words.ts';

/** The host's log: what was done, by whom and when; what was done last stands first. */
export default function Log() {
  const { log } = useTexts();
  const { moment, number } = useFormats();
  const hostId = useHost();
  const [{ order }, set] = useSearchState();
  const newestFirst = order !== 'oldest';
  return (
    <Screen title={log.title} lead={log.lead}>
      <Records
        title={log.title}
        question={['log', hostId, newestFirst]}
        ask={async ({ limit, cursor }) => {
          const from = cursor === undefined ? {} : { [newestFirst ? 'before' : 'after']: Number(cursor) };
          const query = { limit, newestFirst, ...from };
          const { items } = await given(
            api.GET('/v1/hosts/{hostId}/events', { params: { path: { hostId }, query } }),
          );
          const last = items.at(-1)?.position;
          // A page is short where its events are long; the first event of all has position 1.
          const isEnd = last === undefined || (newestFirst && last === 1);
          return { items: withNames(items), ...(isEnd ? {} : { nextCursor: String(last) }) };
        }}
        id={({ position }) => String(position)}
        columns={[
          { title: log.when, width: 20, cell: ({ time }) => moment(time) },
          { title: log.what, width: 25, cell: (event) => <What event={event} /> },
          { title: log.data, width: 25, cell: (event) => <AboutRecords event={event} /> },
          { title: log.by, cell: ({ user }) => user },
          { title: log.position, cell: ({ position }) => number(position) },
          { title: log.details, cell: (event) => <Details event={event} /> },
        ]}
        filters={
          <ChoiceFilter
            {...{ name: 'order', label: log.newestFirst, value: order, set }}
            choices={{ oldest: log.oldestFirst }}
          />
        }
        nothing={<Nothing title={log.none}>{log.noneMend}</Nothing>}
      />
    </Screen>
  );
}

interface Given {
  readonly event: LoggedEvent;
}

/** In words, and small beside them the type, by which programs know it. */
function What({ event }: Given) {
  const { log } = useTexts();
  return (
    <>
      {wordsOf(event, log)}
      <br />
      <small className="portal-subtle">{event.type.split('.').at(-1)}</small>
    </>
  );
}

function AboutRecords({ event }: Given) {
  const { log } = useTexts();
  return aboutOf(event, log).map(({ to, name }, index) => (
    <span key={`${name} ${to ?? ''}`} className="portal-target">
      {index > 0 && ' · '}
      {to === undefined ? name : <To to={to}>{name}</To>}
    </span>
  ));
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const MAX_PLAIN = 200;

/** All that the event says: what is short as facts, the rest as it is. */
function Details({ event: { data, aggregateid } }: Given) {
  const { log } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const members = Object.entries(data ?? {});
  const plain = members.filter(([, value]) => isPlain(value) && String(value).length <= MAX_PLAIN);
  const names = new Set(plain.map(([name]) => name));
  const rest = Object.fromEntries(members.filter(([name]) => !names.has(name)));
  return (
    <ExpandableSection
      toggleText={isOpen ? log.less : log.more}
      isExpanded={isOpen}
      onToggle={(_, isNowOpen) => setOpen(isNowOpen)}
    >
      {isOpen && (
        <>
          <Facts
            of={[
              [log.id, <code key="id">{aggregateid}</code>],
              ...plain.map(([name, value]) => [name, String(value)] as const),
            ]}
          />
          {Object.keys(rest).length > 0 && <Code text={JSON.stringify(rest, undefined, 2)} />}
        </>
      )}
    </ExpandableSection>
  );
}
