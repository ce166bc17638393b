import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Effect } from '../../parts/impact.tsx';
import { notify } from '../../parts/notices.tsx';
import { overridable, valueAt } from '../../parts/overrides/fields.ts';
import { LayerTable, type Layer } from '../../parts/overrides/layer-table.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Tool = Of<'Tool'>;

interface Given {
  readonly tool: Tool;
  readonly impact: Of<'Impact'> | undefined;
}

/** What agents see of a tool beside what its endpoint says, and the operator's overrides, written in place. */
export function Layers({ tool, impact }: Given) {
  const { tools, layers: titles } = useTexts();
  const hostId = useHost();
  const { toolId, provenance = {} } = tool;
  const params = { path: { hostId, toolId } };
  const fields = Object.keys(overridable);
  const isOverridden = (field: string) => provenance[field] === 'operator';
  const layers: readonly Layer[] = [
    {
      key: 'operator',
      title: titles.operator,
      valueOf: (field) => (isOverridden(field) ? inForce(tool, field) : undefined),
    },
    {
      key: 'beneath',
      title: tool.endpointId == null ? tools.beneath : tools.endpointSays,
      valueOf: (field) => valueAt(tool.beneath, field),
    },
  ];
  const winners = Object.fromEntries(
    fields.map((field) => [field, isOverridden(field) ? 'operator' : 'beneath']),
  );
  return (
    <LayerTable
      {...{ fields, layers, winners, inForce }}
      title={tools.beside}
      writing={{
        record: tool,
        async write(body, header) {
          const receipt = await given(
            api.PATCH('/v1/hosts/{hostId}/tools/{toolId}', { params: { ...params, header }, body }),
          );
          if (receipt.inReview !== undefined) notify('info', tools.waitsAs(receipt.inReview));
          return receipt;
        },
        question: ['tool', hostId, toolId],
        ask: () => given(api.GET('/v1/hosts/{hostId}/tools/{toolId}', { params })),
        effect: <Effect impact={impact} toolId={toolId} />,
      }}
    />
  );
}

function inForce(tool: Tool, field: string): unknown {
  // What nobody says of the routing has a value all the same, on the tool itself.
  return valueAt(tool.toolMetadata, field) ?? valueAt(tool, field.replace('routing.', ''));
}
