import { Alert, Switch } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, given, type Of, ifMatch } from '../../api/client.ts';
import { useHost, useMay, useSession } from '../../api/session.ts';
import { Facts } from '../../parts/facts.tsx';
import { notify } from '../../parts/notices.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Answer } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** What holds for the whole host. */
export default function Settings() {
  const { settings } = useTexts();
  const hostId = useHost();
  const found = useQuery({
    queryKey: ['settings', hostId],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/settings', { params: { path: { hostId } } })),
  });
  return (
    <Screen title={settings.title} lead={settings.lead}>
      <Answer of={found}>{(known) => <Switches known={known} />}</Answer>
    </Screen>
  );
}

const switches = ['autoApprove', 'quarantine', 'commandTools'] as const;

/** Each is written as it is switched; what somebody else has changed meanwhile is not written over. */
function Switches({ known }: { readonly known: Of<'HostSettings'> }) {
  const { settings } = useTexts();
  const { moment } = useFormats();
  const { subject, host: hostId } = useSession();
  const mayWrite = useMay('catalog:admin');
  const header = ifMatch(known.aggregateVersion);
  const change = useMutation({
    meta: { quiet: true },
    mutationFn: (body: Of<'PutHostSettingsRequest'>) =>
      given(
        api.PUT('/v1/hosts/{hostId}/settings', {
          params: { path: { hostId }, header },
          body,
        }),
      ),
    onSuccess: () => notify('success', settings.saved),
  });
  return (
    <div className="portal-stack">
      {change.error !== null && (
        <Alert component="h2" isInline variant="danger" title={settings.notSaved}>
          {change.error.message}
        </Alert>
      )}
      {switches.map((name) => (
        <div key={name}>
          <Switch
            id={`setting-${name}`}
            label={settings.names[name]}
            aria-describedby={`setting-${name}-help`}
            isChecked={known[name]}
            isDisabled={!mayWrite || change.isPending}
            onChange={(_, isOn) => change.mutate({ [name]: isOn })}
          />
          <p id={`setting-${name}-help`} className="portal-subtle">
            {settings.help[name]}
          </p>
        </div>
      ))}
      <Facts
        of={[
          [settings.host, <code key="host">{hostId}</code>],
          [settings.you, subject],
          [settings.updated, known.updateTs === null ? settings.never : moment(known.updateTs)],
          [settings.by, known.updateUser],
        ]}
      />
      <p>{settings.elsewhere}</p>
    </div>
  );
}
