import { Card, CardBody, CardTitle, Icon } from '@patternfly/react-core';
import LightbulbIcon from '@patternfly/react-icons/dist/esm/icons/lightbulb-icon';
import { useCallback, useMemo } from 'react';
import type { Of } from '../../api/client.ts';
import { SchemaTree } from '../../parts/schema-tree.tsx';
import './tools.css';
import { useFormats, useTexts } from '../../texts/texts.tsx';

type Finding = Of<'LintFinding'>;

interface Given {
  readonly tool: Of<'Tool'>;
  readonly findings: readonly Finding[];
}

const ARGUMENTS = '/inputSchema';

/** Exactly what a model is given of the tool, what that costs, and what it will get wrong, beside the words that it is about. */
export function AsGiven({ tool: { name, description, inputSchema = {} }, findings }: Given) {
  const { tools } = useTexts();
  const { number } = useFormats();
  const at = useMemo(() => Map.groupBy(findings, ({ pointer }) => pointer), [findings]);
  const besideArgument = useCallback(
    (pointer: string) => <Findings of={underneath(at, `${ARGUMENTS}${pointer}`)} />,
    [at],
  );
  const tokens = tokensOf(JSON.stringify([{ name, description, inputSchema }]));
  const elsewhere = findings.filter(
    ({ pointer }) => !['/name', '/description'].includes(pointer) && !isArgument(pointer),
  );
  return (
    <Card isCompact component="section" aria-labelledby="as-given">
      <CardTitle component="h2" id="as-given">
        {tools.asGiven}
      </CardTitle>
      <CardBody>
        <div className="portal-stack">
          <p className="portal-subtle" title={tools.tokensBy}>
            {tools.tokens(number(tokens))}
          </p>
          <div>
            <code>
              <strong>{name}</strong>
            </code>
            <Findings of={at.get('/name')} />
          </div>
          <div>
            <p className="portal-wrap">{description === '' ? tools.noDescription : description}</p>
            <Findings of={at.get('/description')} />
          </div>
          <SchemaTree title={tools.arguments} schema={inputSchema} beside={besideArgument} />
          <Findings of={elsewhere} />
        </div>
      </CardBody>
    </Card>
  );
}

const argument = /^\/inputSchema\/properties\/[^/]+/;

function isArgument(pointer: string): boolean {
  return argument.test(pointer);
}

/** Of an argument itself, and of what is said of it: its parts have their own places. */
function underneath(at: ReadonlyMap<string, readonly Finding[]>, place: string): readonly Finding[] {
  return [...at].flatMap(([pointer, found]) => {
    const rest = pointer.startsWith(place) ? pointer.slice(place.length) : undefined;
    return rest !== undefined && /^(\/[a-z]+)?$/i.test(rest) ? found : [];
  });
}

function Findings({ of: findings = [] }: { readonly of?: readonly Finding[] | undefined }) {
  const { tools } = useTexts();
  return findings.map(({ rule, pointer, reason, example, stopsReview }) => (
    <div key={`${rule} ${pointer} ${reason}`} className="portal-finding">
      <Icon status={stopsReview ? 'warning' : 'info'} size="sm">
        <LightbulbIcon />
      </Icon>{' '}
      {reason} <span className="portal-subtle">{tools.better(example)}</span>
    </div>
  ));
}

/** As the service estimates it: four characters of ASCII a token, of other scripts one. */
function tokensOf(text: string): number {
  const characters = Array.from(text);
  const others = characters.filter((character) => character >= '\u0080').length;
  return Math.ceil((characters.length - others) / 4) + others;
}
