import { Button } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { pageOf, type Neighbourhood, type Place } from './neighbourhood.ts';

interface Given {
  readonly around: Neighbourhood;
  readonly center: Place;
  readonly focus: (place: Place) => void;
}

type Names = Readonly<Record<string, string>>;

/** All that the picture shows, edge by edge, to be read and gone through. */
export function GraphList({ around: { nodes, edges }, focus }: Given) {
  const { graph } = useTexts();
  const kinds: Names = graph.kinds;
  const relations: Names = graph.relations;
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  if (edges.length === 0) return <Nothing title={graph.alone}>{graph.aloneMend}</Nothing>;
  const ends = [
    [graph.from, 'from'],
    [graph.to, 'to'],
  ] as const;
  return (
    <div className="portal-scroll" tabIndex={0} role="region" aria-label={graph.list}>
      <Table variant="compact" aria-label={graph.list}>
        <Thead>
          <Tr>
            <Th>{graph.from}</Th>
            <Th modifier="nowrap">{graph.relation}</Th>
            <Th>{graph.to}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {edges.map((edge) => {
            const [from, to] = ends.map(([title, end]) => {
              const node = byKey.get(edge[end]);
              const page = node && pageOf(node);
              return (
                <Td key={title} dataLabel={title}>
                  {node !== undefined && (
                    <>
                      <Button
                        variant="link"
                        size="sm"
                        className="portal-flush"
                        aria-label={graph.focusOn(node.name)}
                        onClick={() => focus(node)}
                      >
                        {node.name}
                      </Button>
                      <div className="portal-target">
                        {page === undefined ? kinds[node.kind] : <To to={page}>{kinds[node.kind]}</To>}
                      </div>
                    </>
                  )}
                </Td>
              );
            });
            return (
              <Tr key={`${edge.from} ${edge.type} ${edge.to}`}>
                {from}
                <Td dataLabel={graph.relation}>{relations[edge.type] ?? edge.type}</Td>
                {to}
              </Tr>
            );
          })}
        </Tbody>
      </Table>
    </div>
  );
}
