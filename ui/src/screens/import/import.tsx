import { Button, Flex, HelperText, HelperTextItem, Stack, StackItem } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { isApiId } from '../../parts/api-id.ts';
import { WritingForm } from '../../parts/for-writers.tsx';
import { useLeaveQuestion } from '../../parts/leave-question.ts';
import { Screen } from '../../parts/screen.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Failure } from '../../parts/states.tsx';
import { Working } from '../../parts/working.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Address } from './address.tsx';
import { Description, type Document } from './description.tsx';
import { idOfAddress, useFields, type Fields } from './fields.ts';
import { ImportForm, type Options } from './import-form.tsx';
import { Next } from './next.tsx';
import { Report } from './report.tsx';

type Wanted = Omit<Of<'ImportApiRequest'>, 'dryRun'>;

interface Taken extends Document {
  /** Counted on with each that is taken: questions of it are told apart by that, not by its whole text. */
  readonly count: number;
}

/** A description is taken in: looked at at once, then as a dry run, then for good with exactly what was shown. */
export default function Import() {
  const { importing } = useTexts();
  const [round, setRound] = useState(0);
  return (
    <Screen title={importing.title} lead={importing.lead}>
      <Round key={round} again={() => setRound(round + 1)} />
    </Screen>
  );
}

function Round({ again }: { readonly again: () => void }) {
  const [{ apiId: wantedApi }] = useSearchState();
  const [document, setDocument] = useState<Taken>();
  const count = useRef(0);
  const [typed, setTyped] = useState<Partial<Fields>>(wantedApi === undefined ? {} : { apiId: wantedApi });
  const [options, setOptions] = useState<Options>({ publish: true, prefix: false });
  const { dryRun, write, changed } = useImport();
  // After a write all is asked anew, but not this.
  const read = useReading(document, !write.isPending && !write.isSuccess);
  const { fields, versions, areAll } = useFields(read.data, document, typed);
  const take = (taken: Document | undefined) => {
    changed();
    count.current += 1;
    setDocument(taken && { ...taken, count: count.current });
  };
  const wanted = document && wantedOf(document.text, fields, options);
  useLeaveQuestion(document !== undefined && write.data === undefined);
  if (write.data !== undefined)
    return (
      <Report report={write.data} isWritten>
        <Next report={write.data} again={again} />
      </Report>
    );
  const isLooked = dryRun.data !== undefined;
  return (
    <Stack hasGutter>
      <StackItem>
        <WritingForm
          isWidthLimited
          submit={() => {
            // What the fields say may have changed by itself since: what was shown is written.
            if (isLooked) write.mutate(dryRun.variables);
            else if (wanted !== undefined) dryRun.mutate(wanted);
          }}
        >
          <Description {...{ document, take, read }} />
          {document === undefined && (
            <Address
              fetched={(url, text) => take({ text, name: url, isTyped: false, apiId: idOfAddress(url) })}
            />
          )}
          {read.data !== undefined && (
            <ImportForm
              {...{ fields, versions, areAll, options }}
              type={(more) => {
                changed();
                setTyped({ ...typed, ...more });
              }}
              choose={(chosen) => {
                changed();
                setOptions(chosen);
              }}
            />
          )}
          <Submit {...{ fields, document, read, isLooked }} isBusy={dryRun.isPending || write.isPending} />
        </WritingForm>
      </StackItem>
      <Course {...{ dryRun, write }} />
    </Stack>
  );
}

interface SubmitGiven {
  readonly fields: Fields;
  readonly document: Document | undefined;
  readonly read: ReturnType<typeof useReading>;
  readonly isLooked: boolean;
  readonly isBusy: boolean;
}

/** The one button: looks first, and then writes what was shown; where it can't, it says what is missing. */
function Submit({ fields, document, read, isLooked, isBusy }: SubmitGiven) {
  const { importing } = useTexts();
  const isRead = read.data !== undefined;
  const unread = read.error === null ? importing.missingWhole : importing.missingReadable;
  const missing = [
    ...(isRead ? [] : [document === undefined ? importing.missingDocument : unread]),
    ...(isRead && !isApiId(fields.apiId) ? [importing.apiId] : []),
    ...(isRead && fields.serviceId.trim() === '' ? [importing.serviceId] : []),
  ];
  const lacks = missing.length > 0 && !read.isFetching ? importing.missing(missing) : undefined;
  const says = isLooked ? importing.nothingWritten : lacks;
  return (
    <Flex gap={{ default: 'gapMd' }} alignItems={{ default: 'alignItemsCenter' }}>
      <Button
        type="submit"
        isLoading={isBusy}
        isDisabled={missing.length > 0 || isBusy}
        {...(lacks === undefined ? {} : { 'aria-describedby': 'import-missing' })}
      >
        {isLooked ? importing.write : importing.dryRun}
      </Button>
      {says !== undefined && (
        <HelperText id="import-missing">
          <HelperTextItem>{says}</HelperTextItem>
        </HelperText>
      )}
    </Flex>
  );
}

type Sent = ReturnType<typeof useImport>;

/** How it goes, and what would change. */
function Course({ dryRun, write }: Pick<Sent, 'dryRun' | 'write'>) {
  const { importing } = useTexts();
  const error = write.error ?? dryRun.error;
  return (
    <>
      {dryRun.isPending && <Working what={importing.comparing} />}
      {write.isPending && <Working what={importing.writing} />}
      {error !== null && <Failure error={error} />}
      {dryRun.data !== undefined && (
        <Report report={dryRun.data} isWritten={false} apiId={dryRun.variables.api.apiId} />
      )}
    </>
  );
}

/** What the service says that the description is, once nobody types it any more. */
function useReading(document: Taken | undefined, isWanted: boolean) {
  const hostId = useHost();
  const text = document === undefined || document.isTyping === true ? '' : document.text;
  return useQuery({
    queryKey: ['reading', hostId, document?.count],
    queryFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/imports/read', {
          params: { path: { hostId } },
          body: { document: text, format: 'auto' },
        }),
      ),
    enabled: isWanted && text.trim() !== '',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
}

function useImport() {
  const hostId = useHost();
  const send = (isDryRun: boolean) => (body: Wanted) =>
    given(
      api.POST('/v1/hosts/{hostId}/imports', {
        params: { path: { hostId } },
        body: { ...body, dryRun: isDryRun },
      }),
    );
  const dryRun = useMutation({ mutationFn: send(true), meta: { quiet: true, reads: true } });
  const write = useMutation({ mutationFn: send(false), meta: { quiet: true } });
  const changed = () => {
    dryRun.reset();
    write.reset();
  };
  return { dryRun, write, changed };
}

function wantedOf(
  document: string,
  { apiId, apiName, version, serviceId, envTag }: Fields,
  { publish, prefix }: Options,
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
