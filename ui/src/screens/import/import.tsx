import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Stack, StackItem } from '@patternfly/react-core';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Screen } from '../../parts/screen.tsx';
import { Failure } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ImportForm, type Wanted } from './import-form.tsx';
import { Report } from './report.tsx';

/** A description is taken in: first as a dry run, then for good with exactly what was shown. */
export default function Import() {
  const { importing } = useTexts();
  const hostId = useHost();
  const [wanted, setWanted] = useState<Wanted>();
  const send = (dryRun: boolean) => (body: Wanted) =>
    given(
      api.POST('/v1/hosts/{hostId}/imports', { params: { path: { hostId } }, body: { ...body, dryRun } }),
    );
  const dryRun = useMutation({ mutationFn: send(true), meta: { quiet: true } });
  const write = useMutation({ mutationFn: send(false), meta: { quiet: true } });
  const error = write.error ?? dryRun.error;
  const report: Of<'ImportReport'> | undefined = write.data ?? dryRun.data;
  const startAgain = () => {
    setWanted(undefined);
    dryRun.reset();
    write.reset();
  };
  return (
    <Screen title={importing.title} lead={importing.lead}>
      <Stack hasGutter>
        {write.data === undefined && (
          <StackItem>
            <ImportForm
              isPending={dryRun.isPending}
              changed={() => {
                dryRun.reset();
                write.reset();
              }}
              submit={(given) => {
                setWanted(given);
                write.reset();
                dryRun.mutate(given);
              }}
            />
          </StackItem>
        )}
        {error !== null && (
          <StackItem>
            <Failure error={error} />
          </StackItem>
        )}
        {report !== undefined && wanted !== undefined && (
          <StackItem>
            <Report
              report={report}
              isWritten={write.data !== undefined}
              isPending={write.isPending}
              startAgain={startAgain}
              write={() => {
                write.mutate(wanted);
              }}
            />
          </StackItem>
        )}
      </Stack>
    </Screen>
  );
}
