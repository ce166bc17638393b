import { lazy, useMemo } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { keyOf, type Neighbourhood, type Place } from './neighbourhood.ts';

const Picture = lazy(() => import('../../parts/picture.tsx'));

interface Given {
  readonly around: Neighbourhood;
  readonly center: Place;
  readonly focus: (place: Place) => void;
}

type Names = Readonly<Record<string, string>>;

/** The picture: from left to right as relations run. A node that is chosen becomes the middle. */
export function Canvas({ around, center, focus }: Given) {
  const { graph } = useTexts();
  const drawn = useMemo(() => {
    const kinds: Names = graph.kinds;
    const relations: Names = graph.relations;
    return {
      nodes: around.nodes.map(({ key, kind, name }) => ({ key, kind: kinds[kind] ?? kind, name })),
      edges: around.edges.map(({ from, to, type }) => ({ from, to, label: relations[type] ?? type })),
    };
  }, [around, graph]);
  return (
    <Picture
      {...drawn}
      label={graph.picture}
      direction="LR"
      marked={keyOf(center)}
      choose={(key) => {
        const node = around.nodes.find((each) => each.key === key);
        if (node !== undefined) focus(node);
      }}
    />
  );
}
