/** docs/graph.md, made of the ontology. Pure. */
import { nodeTypes, relationshipTypes } from './ontology.js';
import type { NodeType, Property, RelationshipType } from './ontology.types.js';
import { queryLanguageVersion } from './query.schema.js';
import { links } from './vocabulary.js';

const head = `# The graph of the catalog

Made of \`src/graph/ontology.ts\` by \`npm run openapi\`; query language ${queryLanguageVersion}. How queries are written and answered:
[contract, 11](contract.md). A property of the kind \`id\` names a node; \`list\` is a list of texts.`;

export function graphPage(): string {
  const runs = links.map(
    ({ type, from, to }) => `| \`${type.name}\` | ${from.name} | ${to.name} | ${type.description} |`,
  );
  return [
    head,
    '## Relationships',
    ['| name | from | to | meaning |', '|---|---|---|---|', ...runs].join('\n'),
    ...relationshipTypes.filter(({ properties }) => properties.length > 0).map(section),
    '## Nodes',
    ...nodeTypes.map(section),
  ]
    .join('\n\n')
    .concat('\n');
}

function section({ name, description, properties }: NodeType | RelationshipType): string {
  const rows = [
    '| property | kind | null | operators | meaning |',
    '|---|---|---|---|---|',
    ...properties.map(rowOf),
  ];
  return `### ${name}\n\n${description}\n\n${rows.join('\n')}`;
}

function rowOf({ name, kind, nullable, operators, values, description }: Property): string {
  const choices = values === undefined ? '' : ` One of ${values.join(', ')}.`;
  return `| \`${name}\` | ${kind} | ${nullable ? 'yes' : ''} | ${operators.join(' ')} | ${description}${choices} |`;
}
