import { Checkbox, FormSection, Grid } from '@patternfly/react-core';
import { isApiId } from '../../parts/api-id.ts';
import { TextField } from '../../parts/text-field.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Fields, Version } from './fields.ts';

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
  const help = {
    apiId: useHelpOfApi(fields, versions, areAll),
    serviceId: importing.serviceIdHelp,
    version: importing.versionHelp,
    envTag: importing.envTagHelp,
    apiName: undefined,
  };
  const { publish, prefix } = options;
  return (
    <>
      <FormSection title={importing.into} titleElement="h2">
        <Grid hasGutter md={6}>
          {(['apiId', 'serviceId', 'version', 'envTag', 'apiName'] as const).map((name) => (
            <TextField
              key={name}
              id={`import-${name}`}
              label={importing[name]}
              help={help[name]}
              value={fields[name]}
              change={(value) => type({ [name]: value })}
              isRequired={name === 'apiId' || name === 'serviceId'}
            />
          ))}
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
