import { Button, FormGroup, InputGroup, InputGroupItem, TextInput } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { FieldHelp, Refusal } from '../../parts/text-field.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** An address that the service fetches the description from: its text is shown before it is imported. */
export function Address({ fetched }: { readonly fetched: (url: string, document: string) => void }) {
  const { importing } = useTexts();
  const hostId = useHost();
  const [url, setUrl] = useState('');
  const fetching = useMutation({
    meta: { quiet: true, reads: true },
    mutationFn: () =>
      given(api.POST('/v1/hosts/{hostId}/imports/fetch', { params: { path: { hostId } }, body: { url } })),
    onSuccess: ({ document }) => fetched(url, document),
  });
  return (
    <FormGroup label={importing.address} fieldId="import-address">
      <InputGroup>
        <InputGroupItem isFill>
          <TextInput
            id="import-address"
            type="url"
            value={url}
            placeholder="https://"
            aria-describedby="import-address-help"
            onChange={(_, text) => setUrl(text.trim())}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              if (url !== '') fetching.mutate();
            }}
          />
        </InputGroupItem>
        <InputGroupItem>
          <Button
            variant="secondary"
            isLoading={fetching.isPending}
            isDisabled={url === '' || fetching.isPending}
            onClick={() => fetching.mutate()}
          >
            {importing.fetch}
          </Button>
        </InputGroupItem>
      </InputGroup>
      <FieldHelp id="import-address" help={importing.addressHelp} />
      <Refusal title={importing.notFetched} error={fetching.error} />
    </FormGroup>
  );
}
