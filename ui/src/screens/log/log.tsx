import { ExpandableSection } from '@patternfly/react-core';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Code } from '../../parts/code.tsx';
import { WordsFilter } from '../../parts/filters.tsx';
import { Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Nothing } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** The host's log: what was done, by whom and when, from a position on. */
export default function Log() {
  const { log } = useTexts();
  const { moment, number } = useFormats();
  const hostId = useHost();
  const [{ after }, set] = useSearchState();
  return (
    <Screen title={log.title} lead={log.lead}>
      <Records
        title={log.title}
        question={['log', hostId, after]}
        ask={async ({ limit, cursor = after }) => {
          const start = /^\d{1,15}$/.test(cursor ?? '') ? Number(cursor) : 0;
          const query = { limit, after: start };
          const { items } = await given(
            api.GET('/v1/hosts/{hostId}/events', { params: { path: { hostId }, query } }),
          );
          const last = items.at(-1)?.position;
          return { items, ...(items.length === limit && { nextCursor: String(last) }) };
        }}
        id={({ position }) => String(position)}
        columns={[
          { title: log.position, cell: ({ position }) => number(position) },
          { title: log.when, cell: ({ time }) => moment(time) },
          { title: log.what, width: 25, cell: ({ type }) => type.split('.').at(-1) },
          { title: log.by, cell: ({ user }) => user },
          { title: log.data, width: 45, cell: (event) => <Data event={event} /> },
        ]}
        filters={<WordsFilter name="after" label={log.after} value={after} set={set} />}
        nothing={<Nothing title={log.none}>{log.noneMend}</Nothing>}
      />
    </Screen>
  );
}

function Data({ event: { subject, data } }: { readonly event: Of<'ListedEvent'> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <ExpandableSection
      toggleText={subject}
      isExpanded={isOpen}
      onToggle={(_, isNowOpen) => setOpen(isNowOpen)}
    >
      {isOpen && <Code text={JSON.stringify(data, undefined, 2)} />}
    </ExpandableSection>
  );
}
