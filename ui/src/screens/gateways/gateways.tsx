import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter, WordsFilter } from '../../parts/filters.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** The gateways that run tools; each leads to what it lists otherwise than the catalog has it. */
export default function Gateways() {
  const { gateways, records } = useTexts();
  const { moment } = useFormats();
  const hostId = useHost();
  const [{ serviceId, active }, set] = useSearchState();
  return (
    <Screen title={gateways.title} lead={gateways.lead}>
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
            title: gateways.id,
            width: 20,
            cell: ({ gatewayId }) => <To to={`/gateways/${gatewayId}`}>{gatewayId}</To>,
          },
          { title: gateways.url, width: 30, cell: ({ url }) => <span className="portal-wrap">{url}</span> },
          { title: gateways.service, cell: ({ serviceId: service, envTag }) => `${service} · ${envTag}` },
          { title: gateways.tier, cell: ({ maxSensitivityTier }) => <TierLabel tier={maxSensitivityTier} /> },
          { title: gateways.state, cell: (gateway) => <ActiveLabel isActive={gateway.active} /> },
          { title: gateways.updated, cell: ({ updateTs }) => moment(updateTs) },
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
          >
            {gateways.noneMend}
          </NothingFound>
        }
      />
    </Screen>
  );
}
