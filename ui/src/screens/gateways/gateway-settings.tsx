import { Form } from '@patternfly/react-core';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { DraftButtons, DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { Facts } from '../../parts/facts.tsx';
import { faultAt, TextField } from '../../parts/text-field.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { RareFields, TierField } from './gateway-fields.tsx';
import { bodyOf, editedOf, wordsOf, type GatewayWords } from './gateway-words.ts';

/** How a gateway is reached, and what it may carry out. Service and environment are its identity, and stay. */
export function GatewaySettings({ gateway }: { readonly gateway: Of<'Gateway'> }) {
  const { gateways } = useTexts();
  const { moment } = useFormats();
  const hostId = useHost();
  const { gatewayId, serviceId, envTag, updateTs, updateUser } = gateway;
  const path = { hostId, gatewayId };
  const draft = useDraft({
    saved: editedOf(gateway),
    wordsOf,
    write: (words: GatewayWords, header) =>
      given(
        api.PUT('/v1/hosts/{hostId}/gateways/{gatewayId}', {
          params: { path, header },
          body: { serviceId, envTag, ...bodyOf(words) },
        }),
      ),
  });
  const { words, set, error, save } = draft;
  return (
    <div className="portal-stack">
      <Facts
        of={[
          [gateways.service, serviceId],
          [gateways.environment, envTag],
          [gateways.id, <code key="id">{gatewayId}</code>],
          [gateways.updated, `${moment(updateTs)} · ${updateUser}`],
        ]}
      />
      <Form
        isWidthLimited
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <DraftTrouble
          draft={draft}
          question={['gateway', hostId, gatewayId]}
          ask={async () =>
            editedOf(await given(api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}', { params: { path } })))
          }
          textOf={textOf}
        />
        <TextField
          id="gateway-url"
          isRequired
          label={gateways.url}
          help={gateways.urlHelp}
          value={words.url}
          change={set('url')}
          fault={faultAt(error, '/url')}
        />
        <TierField words={words} set={set} error={error} />
        <RareFields words={words} set={set} error={error} />
        <div>
          <DraftButtons draft={draft} />
        </div>
      </Form>
    </div>
  );
}

/** Its words line by line, to be compared. */
function textOf(words: GatewayWords): string {
  return Object.entries(words)
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${String(value)}`]))
    .join('\n');
}
