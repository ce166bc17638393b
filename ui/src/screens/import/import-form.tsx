import {
  Checkbox,
  FormGroup,
  FormHelperText,
  FormSection,
  Grid,
  GridItem,
  HelperText,
  HelperTextItem,
  TextInput,
} from '@patternfly/react-core';
import { useTexts } from '../../texts/texts.tsx';
import { isApiId, type Fields, type Version } from './fields.ts';

export interface Options {
  readonly publish: boolean;
  readonly prefix: boolean;
}

interface Given {
  readonly fields: Fields;
  /** Those that are there of this API. */
  readonly versions: readonly Version[];
  /** Whether there are no more of them. */
  readonly areAll: boolean;
  readonly options: Options;
  readonly type: (fields: Partial<Fields>) => void;
  readonly choose: (options: Options) => void;
}

/** Where a description goes, and what is made of it. */
export function ImportForm({ fields, versions, areAll, options, type, choose }: Given) {
  const { importing } = useTexts();
  const set = (name: keyof Fields) => (value: string) => type({ [name]: value });
  const { publish, prefix } = options;
  return (
    <>
      <FormSection title={importing.into} titleElement="h2">
        <Grid hasGutter md={6}>
          <Field
            label={importing.apiId}
            help={useHelpOfApi(fields, versions, areAll)}
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
          <Field
            label={importing.envTag}
            help={importing.envTagHelp}
            value={fields.envTag}
            set={set('envTag')}
          />
          <Field label={importing.apiName} value={fields.apiName} set={set('apiName')} />
        </Grid>
      </FormSection>
      <Checkbox
        id="import-publish"
        label={importing.publish}
        description={importing.publishHelp}
        isChecked={publish}
        onChange={(_, isOn) => choose({ publish: isOn, prefix })}
      />
      {publish && (
        <Checkbox
          id="import-prefix"
          label={importing.prefix}
          isChecked={prefix}
          onChange={(_, isOn) => choose({ publish, prefix: isOn })}
        />
      )}
    </>
  );
}

/** So many versions are named. */
const MAX_NAMED = 20;

/** Whether the name leads to an API that is there, and what becomes of its versions then. */
function useHelpOfApi({ apiId, version }: Fields, versions: readonly Version[], areAll: boolean): string {
  const { importing } = useTexts();
  if (apiId !== '' && !isApiId(apiId)) return importing.apiIdWrong;
  if (versions.length === 0) return importing.apiIdHelp;
  const known = versions.map(({ apiVersion }) => apiVersion);
  const named = known.slice(0, MAX_NAMED);
  const is = importing.known(known.length > named.length ? [...named, '…'] : named);
  if (version === '') return is;
  if (known.includes(version)) return `${is} ${importing.updates(version)}`;
  // Of more than were asked for, nobody knows whether it is among them.
  return areAll ? `${is} ${importing.beside(version)}` : is;
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
          {...(help === undefined ? {} : { 'aria-describedby': `${id}-help` })}
          onChange={(_, text) => set(text)}
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
