import { Alert, Grid, GridItem, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer, Loading } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { Canvas } from './canvas.tsx';
import { Choice } from './choice.tsx';
import { GraphList } from './graph-list.tsx';
import { aroundQuery, MAX_NODES, neighbourhoodOf, type Kind } from './neighbourhood.ts';
import { Start } from './start.tsx';

/** What lies around one thing of the catalog, as a picture and as a list. Where it begins stands in the address. */
export default function Graph() {
  const { graph } = useTexts();
  const [state, set] = useSearchState();
  const { kind, id } = state;
  const isChosen = kind !== undefined && id !== undefined;
  return (
    <Screen title={graph.title} lead={graph.lead}>
      <div className="portal-stack">
        <Start {...(isChosen ? {} : { isOpen: true })} />
        {isChosen && (
          <>
            <Choice state={state} set={set} />
            <Around key={`${kind} ${id}`} kind={kind as Kind} id={id} />
          </>
        )}
      </div>
    </Screen>
  );
}

function Around({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { graph, pictures } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const [{ hops = '1', only = '', view = 'both' }, set] = useSearchState();
  const center = { kind, id };
  const answer = useQuery({
    queryKey: ['graph', hostId, kind, id, hops, only],
    queryFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/graph/query', {
          params: { path: { hostId } },
          body: { query: aroundQuery(center, Number(hops), only) },
        }),
      ),
  });
  const focus = (to: { readonly kind: string; readonly id: string }) => set({ kind: to.kind, id: to.id });
  return (
    <Answer of={answer}>
      {(found) => {
        const around = neighbourhoodOf(found, center);
        return (
          <div className="portal-stack">
            {(found.pagination.has_more || around.left > 0) && (
              <Alert component="h2" isInline variant="info" title={graph.tooMany(number(MAX_NODES))} />
            )}
            <ToggleGroup isCompact aria-label={graph.view}>
              {(['both', 'picture', 'list'] as const).map((each) => (
                <ToggleGroupItem
                  key={each}
                  text={pictures.views[each]}
                  isSelected={view === each}
                  onChange={() => set({ view: each })}
                />
              ))}
            </ToggleGroup>
            <Grid hasGutter>
              {view !== 'list' && (
                <GridItem xl={view === 'both' ? 7 : 12}>
                  <Suspense fallback={<Loading />}>
                    <Canvas around={around} center={center} focus={focus} />
                  </Suspense>
                </GridItem>
              )}
              {view !== 'picture' && (
                <GridItem xl={view === 'both' ? 5 : 12}>
                  <GraphList around={around} center={center} focus={focus} />
                </GridItem>
              )}
            </Grid>
          </div>
        );
      }}
    </Answer>
  );
}
