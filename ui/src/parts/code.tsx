import { ClipboardCopyButton, CodeBlock, CodeBlockAction, CodeBlockCode } from '@patternfly/react-core';
import { useId, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';

/** A text as it is, to be copied. */
export function Code({ text }: { readonly text: string }) {
  const { records } = useTexts();
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  return (
    <CodeBlock
      actions={
        <CodeBlockAction>
          <ClipboardCopyButton
            id={`${id}-copy`}
            aria-label={records.copy}
            variant="plain"
            onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
            onTooltipHidden={() => setCopied(false)}
          >
            {isCopied ? records.copied : records.copy}
          </ClipboardCopyButton>
        </CodeBlockAction>
      }
    >
      <CodeBlockCode id={id} className="portal-code portal-scroll">
        {text}
      </CodeBlockCode>
    </CodeBlock>
  );
}
