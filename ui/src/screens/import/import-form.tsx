import {
  Button,
  Checkbox,
  FileUpload,
  Form,
  FormGroup,
  FormHelperText,
  FormSection,
  Grid,
  GridItem,
  HelperText,
  HelperTextItem,
  TextInput,
} from '@patternfly/react-core';
import { useState } from 'react';
import type { Of } from '../../api/client.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Address } from './address.tsx';

export type Wanted = Omit<Of<'ImportApiRequest'>, 'dryRun'>;

const blank = { apiId: '', apiName: '', version: '', serviceId: '', envTag: 'dev' };
type Fields = typeof blank;

interface Given {
  readonly isPending: boolean;
  readonly submit: (wanted: Wanted) => void;
  /** Called where what was shown of a dry run no longer holds. */
  readonly changed: () => void;
}

export function ImportForm({ isPending, submit, changed }: Given) {
  const { importing } = useTexts();
  const [document, setDocument] = useState('');
  const [filename, setFilename] = useState('');
  const [fields, setFields] = useState(blank);
  const [publish, setPublish] = useState(true);
  const [prefix, setPrefix] = useState(false);
  const set = (name: keyof Fields) => (value: string) => {
    changed();
    setFields((before) => ({ ...before, [name]: value }));
  };
  const load = (file: File) => {
    changed();
    setFilename(file.name);
    void file.text().then(setDocument);
    // A file may be read after its fields are filled in: what was typed meanwhile stays.
    setFields((before) => (before.apiId === '' ? { ...before, apiId: idOf(file.name) } : before));
  };
  const isWhole = document.trim() !== '' && fields.apiId !== '' && fields.serviceId !== '';
  return (
    <Form
      isWidthLimited
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) submit(wantedOf(document, fields, { publish, prefix }));
      }}
    >
      <Address
        fetched={(url, text) => {
          changed();
          setDocument(text);
          setFilename(url);
          setFields((before) => (before.apiId === '' ? { ...before, apiId: idOfAddress(url) } : before));
        }}
      />
      <Description
        text={document}
        filename={filename}
        load={load}
        change={(text) => {
          changed();
          setDocument(text);
        }}
        clear={() => {
          changed();
          setDocument('');
          setFilename('');
        }}
      />
      <FormSection title={importing.into} titleElement="h2">
        <Grid hasGutter md={6}>
          <Field
            label={importing.apiId}
            help={importing.apiIdHelp}
            value={fields.apiId}
            set={set('apiId')}
            isRequired
          />
          <Field
            label={importing.serviceId}
            help={importing.serviceIdHelp}
            value={fields.serviceId}
            set={set('serviceId')}
            isRequired
          />
          <Field
            label={importing.version}
            help={importing.versionHelp}
            value={fields.version}
            set={set('version')}
          />
          <Field label={importing.envTag} value={fields.envTag} set={set('envTag')} />
          <Field label={importing.apiName} value={fields.apiName} set={set('apiName')} />
        </Grid>
      </FormSection>
      <Checkbox
        id="import-publish"
        label={importing.publish}
        description={importing.publishHelp}
        isChecked={publish}
        onChange={(_, isOn) => {
          changed();
          setPublish(isOn);
        }}
      />
      {publish && (
        <Checkbox
          id="import-prefix"
          label={importing.prefix}
          isChecked={prefix}
          onChange={(_, isOn) => {
            changed();
            setPrefix(isOn);
          }}
        />
      )}
      <div>
        <Button type="submit" isLoading={isPending} isDisabled={!isWhole || isPending}>
          {importing.dryRun}
        </Button>
      </div>
    </Form>
  );
}

interface DescriptionGiven {
  readonly text: string;
  readonly filename: string;
  readonly load: (file: File) => void;
  readonly change: (text: string) => void;
  readonly clear: () => void;
}

/** The description itself: dropped, chosen or pasted. */
function Description({ text, filename, load, change, clear }: DescriptionGiven) {
  const { importing } = useTexts();
  return (
    <FormGroup label={importing.document} fieldId="import-document" isRequired>
      <FileUpload
        id="import-document"
        type="text"
        value={text}
        filename={filename}
        aria-label={importing.document}
        filenamePlaceholder={importing.documentHint}
        filenameAriaLabel={importing.documentHint}
        browseButtonText={importing.browse}
        clearButtonText={importing.clear}
        // Not `onFileInputChange`, which is called twice of a file that was chosen, the second time late.
        dropzoneProps={{
          onDropAccepted: ([file]) => {
            if (file !== undefined) load(file);
          },
        }}
        onTextChange={(_, typed) => change(typed)}
        onClearClick={clear}
      />
    </FormGroup>
  );
}

interface FieldGiven {
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly isRequired?: boolean;
}

function Field({ label, help, value, set, isRequired = false }: FieldGiven) {
  const id = `import-${label.replaceAll(/\W/g, '-')}`;
  return (
    <GridItem>
      <FormGroup label={label} fieldId={id} isRequired={isRequired}>
        <TextInput
          id={id}
          value={value}
          isRequired={isRequired}
          aria-describedby={`${id}-help`}
          onChange={(_, text) => {
            set(text);
          }}
        />
        {help !== undefined && (
          <FormHelperText>
            <HelperText id={`${id}-help`}>
              <HelperTextItem>{help}</HelperTextItem>
            </HelperText>
          </FormHelperText>
        )}
      </FormGroup>
    </GridItem>
  );
}

function wantedOf(
  document: string,
  { apiId, apiName, version, serviceId, envTag }: Fields,
  { publish, prefix }: { readonly publish: boolean; readonly prefix: boolean },
): Wanted {
  return {
    api: { apiId, ...(apiName === '' ? {} : { apiName }) },
    version: {
      serviceId,
      ...(version === '' ? {} : { apiVersion: version }),
      ...(envTag === '' ? {} : { envTag }),
    },
    ...{ publish, document },
    ...(publish && prefix ? { onConflict: 'prefix' as const } : {}),
  };
}

/** A short name from that of a file: `Account service.openapi.yaml` is `account-service`. */
function idOf(filename: string): string {
  const [stem = ''] = filename.split('.');
  return stem
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** From the last part of an address that says more than what the file is: `…/orders/openapi.json` is `orders`. */
function idOfAddress(url: string): string {
  const { hostname, pathname } = new URL(url);
  const parts = [hostname, ...pathname.split('/')].map(idOf);
  return parts.findLast((part) => part !== '' && !/^(openapi|swagger|api|v\d+)$/.test(part)) ?? '';
}
