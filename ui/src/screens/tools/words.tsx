import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { notify } from '../../parts/notices.tsx';
import { Effect } from '../../parts/reached-by.tsx';
import { saidFields, wordOf } from '../../parts/said/fields.ts';
import { SaidTable, type Source } from '../../parts/said/said-table.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Tool = Of<'Tool'>;

interface Given {
  readonly tool: Tool;
  readonly impact: Of<'Impact'> | undefined;
}

/** What agents see of a tool beside what its endpoint says, and the operator's words over that, written in place. */
export function Words({ tool, impact }: Given) {
  const { tools, layers } = useTexts();
  const hostId = useHost();
  const { toolId, provenance = {} } = tool;
  const params = { path: { hostId, toolId } };
  const spoken = Object.keys(saidFields).filter((field) => provenance[field] === 'operator');
  const sources: readonly Source[] = [
    { key: 'operator', title: layers.operator, words: only(tool, spoken) },
    {
      key: 'beneath',
      title: tool.endpointId == null ? tools.beneath : tools.endpointSays,
      words: tool.beneath,
    },
  ];
  const winners = Object.fromEntries(
    Object.keys(saidFields).map((field) => [field, spoken.includes(field) ? 'operator' : 'beneath']),
  );
  return (
    <SaidTable
      {...{ sources, winners, inForce }}
      title={tools.beside}
      fields={Object.keys(saidFields)}
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
  return wordOf(tool.toolMetadata, field) ?? wordOf(tool, field.replace('routing.', ''));
}

/** These fields of the tool alone. */
function only(tool: Tool, fields: readonly string[]): object {
  const words: Record<string, unknown> = {};
  for (const field of fields) {
    const [first = '', inner] = field.split('.');
    const value = inForce(tool, field);
    words[first] = inner === undefined ? value : { ...(words[first] as object | undefined), [inner]: value };
  }
  return words;
}
