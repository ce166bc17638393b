import { Label } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter, WordsFilter } from '../../parts/filters.tsx';
import { TierLabel, useTiers } from '../../parts/labels.tsx';
import { cutPage } from '../../parts/paging.tsx';
import { NothingFound, Records } from '../../parts/records.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer } from '../../parts/states.tsx';
import { GoTo, To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { ExposureChange } from './exposure-change.tsx';
import { exposuresOf, isChanged, useSelection, type Candidate, type Exposure } from './selection.ts';

type Gateway = Of<'Gateway'>;

/** Which tools the gateway exposes: chosen from all that may be, and saved once it is said whom that reaches. */
export function Exposures({ gateway }: { readonly gateway: Gateway }) {
  const hostId = useHost();
  const { gatewayId } = gateway;
  const exposed = useQuery({
    queryKey: ['exposures', hostId, gatewayId],
    queryFn: () => exposuresOf(hostId, gatewayId),
  });
  return <Answer of={exposed}>{(found) => <Choice gateway={gateway} exposed={found} />}</Answer>;
}

interface Row extends Candidate {
  readonly envTag: string | null;
  readonly tier: Of<'ListedTool'>['sensitivityTier'] | undefined;
}

function Choice({ gateway, exposed }: { readonly gateway: Gateway; readonly exposed: readonly Exposure[] }) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const [{ q, apiId, shown }, set] = useSearchState();
  const byId = useMemo(() => new Map(exposed.map((each) => [each.toolId, each])), [exposed]);
  const { selection, choose, place, drop } = useSelection(byId);
  const { added, removed } = selection;
  const isOn = (toolId: string): boolean => added.has(toolId) || (byId.has(toolId) && !removed.has(toolId));
  const fits = ({ envTag }: Row): boolean => envTag === null || envTag === gateway.envTag;
  const chosen = new Set([...byId.keys(), ...added.keys()].filter(isOn));
  return (
    <div className="portal-stack">
      <p>
        {exposed.length === 0
          ? gateways.exposesNothing(gateway.envTag)
          : gateways.exposes(number(exposed.length), exposed.length, gateway.envTag)}
      </p>
      <Records<Row>
        title={gateways.tools}
        question={['tools', hostId, 'to expose', q, apiId, shown, shown === undefined ? 0 : exposed]}
        ask={(page) => (shown === 'exposed' ? listed(exposed, q, page) : toolsOf(hostId, { q, apiId }, page))}
        id={({ toolId }) => toolId}
        choice={{
          chosen,
          choose,
          isChoosable: fits,
          label: ({ name }) => gateways.exposeTool(name),
        }}
        columns={[
          {
            title: gateways.tool,
            width: 30,
            cell: ({ toolId, name }) => <To to={`/tools/${toolId}`}>{name}</To>,
          },
          { title: gateways.api, cell: ({ apiId: api_ }) => api_ },
          { title: gateways.sensitivity, cell: ({ tier }) => <TierLabel tier={tier} /> },
          {
            title: gateways.target,
            width: 30,
            cell: ({ toolId }) => byId.get(toolId)?.targetHost ?? (byId.has(toolId) ? gateways.noTarget : ''),
          },
          {
            title: gateways.here,
            cell: (row) => (
              <Here {...{ row, gateway, isOn: isOn(row.toolId) }} isThere={byId.has(row.toolId)} />
            ),
          },
        ]}
        filters={
          <>
            <WordsFilter name="q" label={gateways.findTool} value={q} set={set} />
            {shown === undefined && <WordsFilter name="apiId" label={gateways.api} value={apiId} set={set} />}
            <ChoiceFilter
              {...{ name: 'shown', label: gateways.allTools, value: shown, set }}
              choices={{ exposed: gateways.exposedOnly }}
            />
          </>
        }
        nothing={
          <NothingFound
            isFiltered={q !== undefined || apiId !== undefined || shown !== undefined}
            clear={() => set({ q: undefined, apiId: undefined, shown: undefined })}
            title={gateways.noTools}
            action={<GoTo to="/import">{gateways.import}</GoTo>}
          >
            {gateways.noToolsMend}
          </NothingFound>
        }
      />
      {(isChanged(selection) || exposed.length > 0) && (
        <ExposureChange {...{ gateway, exposed, selection, place, drop }} />
      )}
    </div>
  );
}

interface Shown {
  readonly row: Row;
  readonly gateway: Gateway;
  readonly isOn: boolean;
  readonly isThere: boolean;
}

/** What becomes of the tool at this gateway. */
function Here({ row: { envTag, tier }, gateway, isOn, isThere }: Shown) {
  const { gateways } = useTexts();
  const tiers = Object.keys(useTiers());
  if (envTag !== null && envTag !== gateway.envTag)
    return <span className="portal-subtle">{gateways.elsewhere(envTag)}</span>;
  if ((isOn || isThere) && tiers.indexOf(tier ?? 'public') > tiers.indexOf(gateway.maxSensitivityTier))
    return (
      <Label isCompact color="red">
        {isOn === isThere ? gateways.isBlocked : isOn ? gateways.willBeBlocked : gateways.willNotBe}
      </Label>
    );
  if (isOn !== isThere)
    return (
      <Label isCompact color={isOn ? 'blue' : 'orange'}>
        {isOn ? gateways.willBe : gateways.willNotBe}
      </Label>
    );
  if (!isThere) return null;
  return (
    <Label isCompact color="green">
      {gateways.isExposed}
    </Label>
  );
}

interface Page {
  readonly limit: number;
  readonly cursor?: string;
}

async function toolsOf(
  hostId: string,
  { q, apiId }: { readonly q: string | undefined; readonly apiId: string | undefined },
  page: Page,
): Promise<{ items: readonly Row[]; nextCursor?: string | undefined }> {
  const query = { ...page, ...(q === undefined ? {} : { q }), ...(apiId === undefined ? {} : { apiId }) };
  const { items, nextCursor } = await given(
    api.GET('/v1/hosts/{hostId}/tools', { params: { path: { hostId }, query } }),
  );
  const rows = items.map(({ toolId, name, apiId: api_, envTag, sensitivityTier }) => ({
    ...{ toolId, name, envTag: envTag ?? null, tier: sensitivityTier },
    apiId: api_ ?? null,
  }));
  return { items: rows, nextCursor };
}

/** What is exposed has been read as a whole: its pages are cut from that. */
function listed(exposed: readonly Exposure[], q: string | undefined, page: Page) {
  const words = (q ?? '').toLowerCase();
  const found = exposed.filter(({ toolName }) => toolName.toLowerCase().includes(words));
  const rows = found.map(({ toolId, toolName }): Row => ({
    ...{ toolId, name: toolName, apiId: null, envTag: null, tier: undefined },
  }));
  return Promise.resolve(cutPage(rows, page));
}
