import { Label } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Activation } from '../../parts/activation.tsx';
import { ActiveLabel, TierLabel } from '../../parts/labels.tsx';
import { PageSkeleton } from '../../parts/page-skeleton.tsx';
import { SchemaView } from '../../parts/schema-tree.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed, useSearchState } from '../../parts/search-state.ts';
import { Sections, type Section } from '../../parts/sections.tsx';
import { Answer } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Change } from './change.tsx';
import { Overview } from './overview.tsx';
import { Versions } from './versions.tsx';

/** One tool: what agents see of it beside its endpoint, its schemas, its versions. */
export default function ToolScreen() {
  const { tools } = useTexts();
  const hostId = useHost();
  const toolId = useAddressed('toolId');
  const [{ review }] = useSearchState();
  const params = { path: { hostId, toolId } };
  const tool = useQuery({
    queryKey: ['tool', hostId, toolId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/tools/{toolId}', { params })),
  });
  // Older links name the version here: its review has a page of its own now.
  if (review !== undefined) return <Navigate to={`/tools/${toolId}/versions/${review}`} replace />;
  return (
    <Screen
      title={tool.data?.name ?? tools.one}
      above={{ to: '/tools', title: tools.title }}
      badges={tool.data === undefined ? undefined : <Badges tool={tool.data} />}
      actions={
        tool.data && (
          <Activation
            isActive={tool.data.active}
            activate={() => given(api.POST('/v1/hosts/{hostId}/tools/{toolId}/activate', { params }))}
            deactivate={() => given(api.POST('/v1/hosts/{hostId}/tools/{toolId}/deactivate', { params }))}
            record={`/v1/hosts/${hostId}/tools/${toolId}`}
          />
        )
      }
    >
      <Answer of={tool} loading={<PageSkeleton />}>
        {(found) => <Parts key={found.toolId} tool={found} />}
      </Answer>
    </Screen>
  );
}

function Badges({ tool: { version, active, sensitivityTier } }: { readonly tool: Of<'Tool'> }) {
  return (
    <>
      <Label isCompact>{version}</Label>
      <ActiveLabel isActive={active} />
      <TierLabel tier={sensitivityTier} />
    </>
  );
}

function Parts({ tool }: { readonly tool: Of<'Tool'> }) {
  const { tools } = useTexts();
  const sections: readonly Section[] = [
    ['overview', tools.overview, () => <Overview tool={tool} />],
    ['input', tools.input, () => <SchemaView title={tools.input} schema={tool.inputSchema ?? {}} />],
    [
      'output',
      tools.output,
      () =>
        tool.responseSchema === null || tool.responseSchema === undefined ? (
          <p>{tools.noOutput}</p>
        ) : (
          <SchemaView title={tools.output} schema={tool.responseSchema} />
        ),
    ],
    ['versions', tools.versions, () => <Versions toolId={tool.toolId} />],
  ];
  return (
    <div className="portal-stack">
      {tool.changed && <Change tool={tool} />}
      <Sections of={sections} />
    </div>
  );
}
