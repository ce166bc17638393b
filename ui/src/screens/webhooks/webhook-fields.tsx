import { Checkbox, FormGroup } from '@patternfly/react-core';
import type { Of } from '../../api/client.ts';
import { FieldHelp, faultAt, TextField } from '../../parts/text-field.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Kind = Of<'Webhook'>['kinds'][number];

/** What is written of a webhook; its kinds parted by blanks. */
export interface WebhookWords {
  readonly url: string;
  readonly secret: string;
  readonly kinds: string;
}

export const noWords: WebhookWords = { url: '', secret: '', kinds: 'catalog-changed' };

export const kindsOf = (words: WebhookWords): Kind[] => words.kinds.split(' ').filter(Boolean) as Kind[];

export const isComplete = (words: WebhookWords): boolean =>
  words.url.trim() !== '' && words.secret.trim() !== '' && words.kinds !== '';

export const bodyOf = (words: WebhookWords) => ({
  ...{ url: words.url.trim(), secret: words.secret.trim(), kinds: kindsOf(words) },
});

interface Given {
  readonly words: WebhookWords;
  readonly set: (name: keyof WebhookWords) => (value: string) => void;
  readonly error: Error | null;
}

/** Where notices go, by what they are signed, and of what they tell. */
export function WebhookFields({ words, set, error }: Given) {
  const { webhooks } = useTexts();
  const chosen = kindsOf(words);
  return (
    <>
      <TextField
        id="webhook-url"
        isRequired
        label={webhooks.url}
        help={webhooks.urlHelp}
        placeholder="https://agents.example.com/hooks/catalog"
        value={words.url}
        change={set('url')}
        fault={faultAt(error, '/url')}
      />
      <TextField
        id="webhook-secret"
        isRequired
        label={webhooks.secret}
        help={webhooks.secretHelp}
        placeholder="agents-hook"
        value={words.secret}
        change={set('secret')}
        fault={faultAt(error, '/secret')}
      />
      <FormGroup role="group" label={webhooks.wants} fieldId="webhook-kinds" isRequired>
        {(Object.entries(webhooks.kinds) as [Kind, string][]).map(([kind, title]) => (
          <Checkbox
            key={kind}
            id={`webhook-${kind}`}
            label={title}
            description={webhooks.kindsHelp[kind]}
            isChecked={chosen.includes(kind)}
            onChange={(_, isOn) =>
              set('kinds')(
                [...chosen.filter((each) => each !== kind), ...(isOn ? [kind] : [])].sort().join(' '),
              )
            }
          />
        ))}
        <FieldHelp
          id="webhook-kinds"
          fault={words.kinds === '' ? webhooks.noKind : faultAt(error, '/kinds')}
        />
      </FormGroup>
    </>
  );
}
