import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ActiveLabel } from '../../parts/labels.tsx';
import { Records } from '../../parts/records.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Nothing } from '../../parts/states.tsx';
import { GoTo, To } from '../../parts/to.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Who is told of changes; each leads to what could not be delivered. */
export default function Webhooks() {
  const { webhooks } = useTexts();
  const hostId = useHost();
  return (
    <Screen
      title={webhooks.title}
      lead={webhooks.lead}
      actions={<GoTo to="/webhooks/new">{webhooks.add}</GoTo>}
    >
      <Records
        title={webhooks.title}
        question={['webhooks', hostId]}
        ask={(query) =>
          given(api.GET('/v1/hosts/{hostId}/webhooks', { params: { path: { hostId }, query } }))
        }
        id={({ webhookId }) => webhookId}
        columns={[
          {
            title: webhooks.url,
            width: 45,
            cell: ({ webhookId, url }) => <To to={`/webhooks/${webhookId}`}>{url}</To>,
          },
          { title: webhooks.wants, cell: (one) => one.kinds.map((kind) => webhooks.kinds[kind]).join(', ') },
          { title: webhooks.state, cell: (webhook) => <ActiveLabel isActive={webhook.active} /> },
          { title: webhooks.updated, sort: 'updateTs', cell: ({ updateTs }) => <Moment of={updateTs} /> },
          { title: webhooks.by, cell: ({ updateUser }) => updateUser },
        ]}
        nothing={
          <Nothing
            title={webhooks.none}
            action={
              <GoTo to="/webhooks/new" variant="secondary">
                {webhooks.add}
              </GoTo>
            }
          >
            {webhooks.noneMend}
          </Nothing>
        }
      />
    </Screen>
  );
}
