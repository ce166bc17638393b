import { useNavigate } from '@tanstack/react-router';
import { api, given, type Of, ifMatch } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { DraftButtons, DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { WritingForm } from '../../parts/for-writers.tsx';
import { notify } from '../../parts/notices.tsx';
import { Removal } from '../../parts/removal.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { bodyOf, WebhookFields, type WebhookWords } from './webhook-fields.tsx';

type Edited = WebhookWords & Pick<Of<'Webhook'>, 'aggregateVersion' | 'updateUser'>;

const editedOf = ({ url, secret, kinds, aggregateVersion, updateUser }: Of<'Webhook'>): Edited => ({
  ...{ url, secret, aggregateVersion, updateUser },
  kinds: [...kinds].sort().join(' '),
});

/** What is written of a webhook. */
export function WebhookSettings({ webhook }: { readonly webhook: Of<'Webhook'> }) {
  const hostId = useHost();
  const { webhookId } = webhook;
  const path = { hostId, webhookId };
  const draft = useDraft({
    saved: editedOf(webhook),
    wordsOf: ({ url, secret, kinds }: Edited): WebhookWords => ({ url, secret, kinds }),
    write: (words, header) => {
      const params = { path, header };
      return given(api.PUT('/v1/hosts/{hostId}/webhooks/{webhookId}', { params, body: bodyOf(words) }));
    },
  });
  return (
    <WritingForm isWidthLimited scope="catalog:admin" submit={() => draft.save()}>
      <DraftTrouble
        draft={draft}
        question={['webhook', hostId, webhookId]}
        ask={async () =>
          editedOf(await given(api.GET('/v1/hosts/{hostId}/webhooks/{webhookId}', { params: { path } })))
        }
        textOf={({ url, secret, kinds }) => [url, secret, kinds].join('\n')}
      />
      <WebhookFields words={draft.words} set={draft.set} error={draft.error} />
      <div>
        <DraftButtons draft={draft} />
      </div>
    </WritingForm>
  );
}

/** The button that forgets a webhook. */
export function WebhookRemoval({ webhook }: { readonly webhook: Of<'Webhook'> }) {
  const { webhooks } = useTexts();
  const hostId = useHost();
  const navigate = useNavigate();
  const { webhookId, aggregateVersion, url } = webhook;
  const params = {
    path: { hostId, webhookId },
    header: ifMatch(aggregateVersion),
  };
  return (
    <Removal
      label={webhooks.remove}
      question={webhooks.removeQuestion(url)}
      consequence={webhooks.removeLead}
      remove={() => given(api.DELETE('/v1/hosts/{hostId}/webhooks/{webhookId}', { params }))}
      done={() => {
        notify('success', webhooks.removed);
        void navigate({ to: '/webhooks' });
      }}
    />
  );
}
