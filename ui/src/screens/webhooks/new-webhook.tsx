import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { newId } from '../../parts/new-id.ts';
import { NewRecordForm } from '../../parts/new-record-form.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { bodyOf, isComplete, noWords, WebhookFields } from './webhook-fields.tsx';

/** Names somebody who is told of changes. */
export default function NewWebhook() {
  const { webhooks } = useTexts();
  const hostId = useHost();
  const navigate = useNavigate();
  const [webhookId] = useState(newId);
  const [words, setWords] = useState(noWords);
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: () => {
      const params = { path: { hostId, webhookId } };
      return given(api.PUT('/v1/hosts/{hostId}/webhooks/{webhookId}', { params, body: bodyOf(words) }));
    },
    onSuccess: () => navigate({ to: `/webhooks/${webhookId}` }),
  });
  return (
    <Screen title={webhooks.add} lead={webhooks.addLead} above={{ to: '/webhooks', title: webhooks.title }}>
      <NewRecordForm
        add={add}
        failed={webhooks.notAdded}
        create={webhooks.create}
        isComplete={isComplete(words)}
        scope="catalog:admin"
      >
        <WebhookFields
          words={words}
          error={add.error}
          set={(name) => (value) => setWords((before) => ({ ...before, [name]: value }))}
        />
      </NewRecordForm>
    </Screen>
  );
}
