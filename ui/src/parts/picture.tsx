import '@xyflow/react/dist/base.css';
import './picture.css';
import { graphlib, layout } from '@dagrejs/dagre';
import { Controls, ReactFlow, type Edge, type Node } from '@xyflow/react';
import { useMemo } from 'react';
import { useTexts } from '../texts/texts.tsx';

interface Drawn {
  /** The same whenever it is drawn. */
  readonly key: string;
  readonly kind: string;
  readonly name: string;
}

interface Joined {
  /** Keys of nodes. */
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

interface Given {
  /** Says what it is of, and where the same is said in words. */
  readonly label: string;
  readonly nodes: readonly Drawn[];
  readonly edges: readonly Joined[];
  /** From left to right, or from the top down. */
  readonly direction: 'LR' | 'TB';
  /** Key of the node that it is all about. */
  readonly marked?: string;
  readonly choose: (key: string) => void;
}

const size = { width: 200, height: 56 };
const sides = { LR: ['right', 'left'], TB: ['bottom', 'top'] } as const;

/** A picture of what belongs together, laid out as it leads on. */
export default function Picture({ label, nodes, edges, direction, marked, choose }: Given) {
  const { pictures } = useTexts();
  const places = useMemo(() => placesOf(nodes, edges, direction), [nodes, edges, direction]);
  const [source, target] = sides[direction];
  const drawn = nodes.map(({ key, kind, name }): Node => ({
    id: key,
    position: places.get(key) ?? { x: 0, y: 0 },
    ...size,
    className: key === marked ? 'portal-node portal-node-marked' : 'portal-node',
    ...{ sourcePosition: source as never, targetPosition: target as never },
    data: {
      label: (
        <button type="button" className="nodrag nopan" onClick={() => choose(key)}>
          <span className="portal-node-kind">{kind}</span>
          <span className="portal-node-name">{name}</span>
        </button>
      ),
    },
  }));
  const joined = edges.map(({ from, to, label: text }): Edge => ({
    id: `${from} ${text} ${to}`,
    source: from,
    target: to,
    label: text,
    // The list says it in words.
    ...{ ariaRole: 'presentation', ariaLabel: null as never },
  }));
  return (
    <div className="portal-canvas">
      <ReactFlow
        nodes={drawn}
        edges={joined}
        fitView
        // Never so far away that its words can’t be read.
        fitViewOptions={{ minZoom: 0.8 }}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        preventScrolling={false}
        zoomOnScroll={false}
        aria-label={label}
      >
        <Controls showInteractive={false} aria-label={pictures.controls} />
      </ReactFlow>
    </div>
  );
}

function placesOf(
  nodes: readonly Drawn[],
  edges: readonly Joined[],
  direction: 'LR' | 'TB',
): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  const drawn = new graphlib.Graph();
  drawn.setGraph({ rankdir: direction, nodesep: 16, ranksep: direction === 'LR' ? 120 : 48 });
  drawn.setDefaultEdgeLabel(() => ({}));
  for (const { key } of nodes) drawn.setNode(key, { ...size });
  for (const { from, to } of edges) drawn.setEdge(from, to);
  layout(drawn);
  return new Map(
    nodes.map(({ key }) => {
      const { x, y } = drawn.node(key) as { x: number; y: number };
      return [key, { x: x - size.width / 2, y: y - size.height / 2 }];
    }),
  );
}
