import { nodeNames, nodeTypes, relationshipTypes } from './ontology.js';
import type { NodeType, RelationshipType } from './ontology.types.js';

const types: readonly (NodeType | RelationshipType)[] = [...nodeTypes, ...relationshipTypes];

it('describes everything', () => {
  for (const { description, properties } of types) {
    expect(description).toMatch(/^[A-Z].*[.…]$/);
    for (const property of properties) {
      expect(property.description).toMatch(/^[A-Z].*[.…]$/);
      expect(property.operators.length).toBeGreaterThan(0);
      if (property.kind === 'choice') expect(property.values?.length).toBeGreaterThan(1);
    }
  }
});

it('names nothing twice, and no property as answers name their own members', () => {
  for (const { properties } of types) {
    const names = properties.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('type');
  }
});

it('has every node and relationship of the contract', () => {
  expect([...nodeNames].sort()).toEqual([
    'Agent',
    'Api',
    'ApiVersion',
    'Category',
    'Endpoint',
    'Gateway',
    'Skill',
    'Tag',
    'Tool',
    'ToolParam',
    'Workflow',
  ]);
  expect(relationshipTypes.map(({ name }) => name).sort()).toEqual([
    ...[
      'ASSIGNED',
      'DEPENDS_ON',
      'EXPOSES',
      'HAS_ENDPOINT',
      'HAS_PARAM',
      'HAS_TAG',
      'HAS_VERSION',
      'IN_CATEGORY',
    ],
    ...['PARENT_OF', 'PROJECTED_AS', 'USES_TOOL', 'USES_WORKFLOW'],
  ]);
});
