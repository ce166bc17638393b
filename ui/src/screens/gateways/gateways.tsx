import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter, WordsFilter } from '../../parts/filters.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { GoTo, To } from '../../parts/to.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The gateways that run tools; each leads to what it lists otherwise than the catalog has it. */
export default function Gateways() {
  const { gateways, records } = useTexts();
  const hostId = useHost();
  const [{ serviceId, active }, set] = useSearchState();
  return (
    <Screen
      title={gateways.title}
      lead={gateways.lead}
      actions={<GoTo to="/gateways/new">{gateways.add}</GoTo>}
    >
      <Records
        title={gateways.title}
        question={['gateways', hostId, serviceId, active]}
        ask={(page) => {
          const query = { ...page, serviceId, active: (active ?? 'all') as 'all' };
          return given(api.GET('/v1/hosts/{hostId}/gateways', { params: { path: { hostId }, query } }));
        }}
        id={({ gatewayId }) => gatewayId}
        columns={[
          {
            title: gateways.service,
            width: 25,
            cell: ({ gatewayId, serviceId: name }) => <To to={`/gateways/${gatewayId}`}>{name}</To>,
          },
          { title: gateways.environment, cell: ({ envTag }) => envTag },
          { title: gateways.url, width: 30, cell: ({ url }) => <span className="portal-wrap">{url}</span> },
          { title: gateways.tier, cell: ({ maxSensitivityTier }) => <TierLabel tier={maxSensitivityTier} /> },
          { title: gateways.state, cell: (gateway) => <ActiveLabel isActive={gateway.active} /> },
          { title: gateways.updated, sort: 'updateTs', cell: ({ updateTs }) => <Moment of={updateTs} /> },
        ]}
        filters={
          <>
            <WordsFilter name="serviceId" label={gateways.service} value={serviceId} set={set} />
            <ChoiceFilter
              {...{ name: 'active', label: gateways.state, value: active, set }}
              choices={{ true: records.active, false: records.inactive }}
            />
          </>
        }
        nothing={
          <NothingFound
            isFiltered={serviceId !== undefined || active !== undefined}
            clear={() => set({ serviceId: undefined, active: undefined })}
            title={gateways.none}
            action={
              <GoTo to="/gateways/new" variant="secondary">
                {gateways.add}
              </GoTo>
            }
          >
            {gateways.noneMend}
          </NothingFound>
        }
      />
    </Screen>
  );
}
