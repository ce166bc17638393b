import { Button, Stack, StackItem } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { ActiveLabel } from '../../parts/labels.tsx';
import { Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { Failure, Nothing } from '../../parts/states.tsx';
import { GoTo, To } from '../../parts/to.tsx';
import { Working } from '../../parts/working.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Version } from './fields.ts';
import { Next } from './next.tsx';
import { Report } from './report.tsx';

/** An API: its versions, each to be read again, and the way to a new document. */
export default function Api() {
  const { api: texts, places } = useTexts();
  const hostId = useHost();
  const apiId = useAddressed('apiId');
  const [chosen, choose] = useState<Version>();
  const { data } = useQuery({
    queryKey: ['an API', hostId, apiId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/apis/{apiId}', { params: { path: { hostId, apiId } } })),
  });
  return (
    <Screen
      title={data?.apiName ?? apiId}
      lead={texts.lead}
      above={{ to: '/endpoints', title: places.endpoints }}
      actions={
        <>
          <GoTo to="/tools" search={{ apiId }} variant="secondary">
            {texts.tools}
          </GoTo>
          <GoTo to="/import" search={{ apiId }}>
            {texts.import}
          </GoTo>
        </>
      }
    >
      <Stack hasGutter>
        <StackItem>
          <Versions apiId={apiId} choose={choose} />
        </StackItem>
        {chosen !== undefined && <Resync key={chosen.apiVersionId} version={chosen} />}
      </Stack>
    </Screen>
  );
}

function Versions({
  apiId,
  choose,
}: {
  readonly apiId: string;
  readonly choose: (version: Version) => void;
}) {
  const { api: texts, importing } = useTexts();
  const mayWrite = useMay('catalog:write');
  const hostId = useHost();
  return (
    <Records<Version>
      title={texts.versions}
      question={['versions of an API', hostId, apiId, 'all']}
      ask={(page) =>
        given(
          api.GET('/v1/hosts/{hostId}/api-versions', {
            params: { path: { hostId }, query: { apiId, active: 'all', ...page } },
          }),
        )
      }
      id={({ apiVersionId }) => apiVersionId}
      columns={[
        {
          title: texts.version,
          cell: ({ apiVersionId, apiVersion }) => (
            <To to={`/endpoints?apiVersionId=${apiVersionId}`}>{apiVersion}</To>
          ),
        },
        { title: texts.format, cell: ({ apiType }) => importing.formats[apiType] ?? apiType },
        { title: texts.service, cell: ({ serviceId }) => serviceId },
        { title: texts.environment, cell: ({ envTag }) => envTag },
        { title: texts.state, cell: ({ active }) => <ActiveLabel isActive={active} /> },
        {
          title: texts.resync,
          cell: (version) =>
            mayWrite &&
            version.apiType !== 'agent' && (
              <Button variant="secondary" size="sm" onClick={() => choose(version)}>
                {texts.resync}
              </Button>
            ),
        },
      ]}
      nothing={<Nothing title={texts.none}>{texts.noneMend}</Nothing>}
    />
  );
}

/** The document of a version is read again: first what would change, then that. */
function Resync({ version: { apiVersionId, apiVersion } }: { readonly version: Version }) {
  const { api: texts, importing } = useTexts();
  const hostId = useHost();
  const send = (dryRun: boolean) =>
    given(
      api.POST('/v1/hosts/{hostId}/api-versions/{apiVersionId}/resync', {
        params: { path: { hostId, apiVersionId } },
        body: { dryRun },
      }),
    );
  const write = useMutation({ mutationFn: () => send(false), meta: { quiet: true } });
  const look = useQuery({
    queryKey: ['reading again', hostId, apiVersionId],
    // After a write all is asked anew, but not this.
    enabled: !write.isPending && !write.isSuccess,
    queryFn: () => send(true),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  const error = write.error ?? look.error;
  if (write.data !== undefined)
    return (
      <Report report={write.data} isWritten>
        <Next report={write.data} />
      </Report>
    );
  const changes = look.data?.items.some(({ change }) => change !== 'unchanged') === true;
  return (
    <>
      <StackItem>
        <h2>{texts.resyncOf(apiVersion)}</h2>
        <p className="portal-subtle">{texts.resyncLead}</p>
      </StackItem>
      {look.isFetching && <Working what={importing.comparing} />}
      {write.isPending && <Working what={importing.writing} />}
      {error !== null && <Failure error={error} />}
      {look.data !== undefined && (
        <Report report={look.data} isWritten={false}>
          {changes && (
            <div>
              <Button
                variant="secondary"
                isLoading={write.isPending}
                isDisabled={write.isPending}
                onClick={() => write.mutate()}
              >
                {importing.write}
              </Button>
            </div>
          )}
        </Report>
      )}
    </>
  );
}
