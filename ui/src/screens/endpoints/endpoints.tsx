import { Label } from '@patternfly/react-core';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { chosenOf, useSearchState } from '../../parts/search-state.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Facets } from './facets.tsx';
import { Publishing } from './publishing.tsx';

const filters = [
  ...['q', 'apiId', 'apiVersionId', 'method', 'sourceProtocol', 'sensitivityTier', 'domain', 'tag'],
  ...['lifecycleStatus', 'active', 'changed', 'conflict'],
] as const;

/** Every operation that was imported, whether or not it is a tool. */
export default function Endpoints() {
  const { endpoints, tools } = useTexts();
  const hostId = useHost();
  const [state, set] = useSearchState();
  const mayWrite = useMay('catalog:write');
  const chosen = chosenOf(state, filters);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const choose = (rows: readonly Of<'ListedEndpoint'>[], isChosen: boolean) =>
    setPicked((before) => {
      const ids = rows.map(({ endpointId }) => endpointId);
      return new Set(isChosen ? [...before, ...ids] : [...before].filter((each) => !ids.includes(each)));
    });
  return (
    <Screen title={endpoints.title} lead={endpoints.lead} actions={<GoTo to="/import">{tools.import}</GoTo>}>
      <Publishing picked={picked} clear={() => setPicked(new Set())} />
      <Records<Of<'ListedEndpoint'>>
        title={endpoints.title}
        question={['endpoints', hostId, chosen]}
        ask={(page) => {
          // The words come from the address: the service says what it does not know.
          const query = { ...chosen, ...page } as never;
          return given(api.GET('/v1/hosts/{hostId}/endpoints', { params: { path: { hostId }, query } }));
        }}
        id={({ endpointId }) => endpointId}
        columns={[
          {
            title: endpoints.endpoint,
            sort: 'endpoint',
            width: 30,
            cell: ({ endpointId, endpoint }) => <To to={`/endpoints/${endpointId}`}>{endpoint}</To>,
          },
          { title: endpoints.name, width: 20, cell: ({ name }) => name },
          {
            title: endpoints.api,
            cell: ({ apiId }) => apiId,
          },
          { title: endpoints.tier, cell: ({ sensitivityTier }) => <TierLabel tier={sensitivityTier} /> },
          {
            title: endpoints.state,
            cell: ({ active, changed, conflict }) => (
              <>
                <ActiveLabel isActive={active} />{' '}
                {changed && (
                  <Label isCompact color="orange">
                    {endpoints.changed}
                  </Label>
                )}{' '}
                {conflict && (
                  <Label isCompact color="red">
                    {endpoints.conflict}
                  </Label>
                )}
              </>
            ),
          },
          { title: endpoints.updated, sort: 'updateTs', cell: ({ updateTs }) => <Moment of={updateTs} /> },
        ]}
        filters={<Facets chosen={chosen} state={state} set={set} />}
        {...(mayWrite && {
          choice: { chosen: picked, choose, label: ({ endpoint }) => endpoints.choose(endpoint) },
        })}
        nothing={
          <NothingFound
            isFiltered={Object.keys(chosen).length > 0}
            clear={() => set(Object.fromEntries(filters.map((name) => [name, undefined])))}
            title={endpoints.none}
            action={<GoTo to="/import">{tools.import}</GoTo>}
          >
            {endpoints.noneMend}
          </NothingFound>
        }
      />
    </Screen>
  );
}
