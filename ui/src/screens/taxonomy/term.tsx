import { Button, Flex, Label } from '@patternfly/react-core';
import { ForWriters, WriteButton } from '../../parts/for-writers.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The name of a category or a tag, and whether it is one of every host. */
export function TermName({ name, isGlobal }: { readonly name: string; readonly isGlobal: boolean }) {
  const { taxonomy } = useTexts();
  return (
    <>
      {name} {isGlobal && <Label isCompact>{taxonomy.global}</Label>}
    </>
  );
}

interface Given {
  readonly name: string;
  readonly edit: () => void;
  readonly remove: () => Promise<unknown>;
}

/** What can be done with a category or a tag of the host's own. */
export function TermActions({ name, edit, remove }: Given) {
  const { taxonomy } = useTexts();
  return (
    <ForWriters>
      <Flex gap={{ default: 'gapSm' }}>
        <Button variant="link" size="sm" aria-label={taxonomy.editIt(name)} onClick={edit}>
          {taxonomy.edit}
        </Button>
        <WriteButton variant="link" size="sm" isDanger aria-label={taxonomy.deleteIt(name)} write={remove}>
          {taxonomy.delete}
        </WriteButton>
      </Flex>
    </ForWriters>
  );
}
