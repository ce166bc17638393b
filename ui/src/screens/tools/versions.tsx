import { Button, Modal, ModalBody, ModalHeader } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ReviewLabel } from '../../parts/labels.tsx';
import { Diff } from '../../parts/diff.tsx';
import { Answer, Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The versions of a tool: where each is on its way, what differs, and its review. */
export function Versions({ toolId }: { readonly toolId: string }) {
  const { tools } = useTexts();
  const hostId = useHost();
  const versions = useQuery({
    queryKey: ['versions', hostId, toolId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/tools/{toolId}/versions', { params: { path: { hostId, toolId } } })),
  });
  return (
    <Answer of={versions}>
      {({ items }) =>
        items.length === 0 ? (
          <Nothing title={tools.noVersions}>{tools.noVersionsMend}</Nothing>
        ) : (
          <List items={items} />
        )
      }
    </Answer>
  );
}

function List({ items }: { readonly items: readonly Of<'ToolVersion'>[] }) {
  const { tools } = useTexts();
  const [compared, setCompared] = useState<Of<'ToolVersion'>>();
  const toolId = items[0]?.toolId ?? '';
  return (
    <>
      <Table variant="compact" aria-label={tools.versions}>
        <Thead>
          <Tr>
            <Th>{tools.version}</Th>
            <Th>{tools.state}</Th>
            <Th>{tools.author}</Th>
            <Th>{tools.updated}</Th>
            <Th screenReaderText={tools.actions} />
          </Tr>
        </Thead>
        <Tbody>
          {items.map((version, index) => (
            <Tr key={version.version}>
              <Td dataLabel={tools.version}>{version.version}</Td>
              <Td dataLabel={tools.state}>
                <ReviewLabel state={version.state} />
              </Td>
              <Td dataLabel={tools.author}>{version.author}</Td>
              <Td dataLabel={tools.updated}>
                <Moment of={version.updateTs} />
              </Td>
              <Td>
                <To to={`/tools/${toolId}/versions/${version.version}`}>{tools.review}</To>
                {index < items.length - 1 && (
                  <Button variant="link" size="sm" onClick={() => setCompared(version)}>
                    {tools.compare}
                  </Button>
                )}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      {compared !== undefined && (
        <Modal isOpen variant="large" aria-labelledby="compared" onClose={() => setCompared(undefined)}>
          <ModalHeader labelId="compared" title={tools.comparing(compared.version)} />
          <ModalBody tabIndex={0}>
            <Comparison toolId={toolId} version={compared.version} versions={items} />
          </ModalBody>
        </Modal>
      )}
    </>
  );
}

interface Compared {
  readonly toolId: string;
  readonly version: string;
  readonly versions: readonly Of<'ToolVersion'>[];
}

/** A version beside the one before it in the list. */
function Comparison({ toolId, version, versions }: Compared) {
  const hostId = useHost();
  const former = versions[versions.findIndex((each) => each.version === version) + 1]?.version ?? version;
  const both = useQuery({
    queryKey: ['comparison', hostId, toolId, former, version],
    queryFn: () =>
      Promise.all(
        [former, version].map(async (each) => {
          const params = { path: { hostId, toolId, version: each } };
          return (await given(api.GET('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}', { params })))
            .content;
        }),
      ),
  });
  return <Answer of={both}>{([before, after]) => <Diff before={before} after={after} />}</Answer>;
}
