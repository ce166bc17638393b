import {
  Button,
  ExpandableSection,
  Flex,
  FlexItem,
  FormGroup,
  FormHelperText,
  HelperText,
  HelperTextItem,
  Slider,
  TextInput,
} from '@patternfly/react-core';
import { useCallback, useState } from 'react';
import { useSearchState, useTyped } from '../../parts/search-state.ts';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** When the catalog is looked at: now, or as of a time or a position of the log, which the address keeps. */
export function AsOf({ last }: { readonly last: number | undefined }) {
  const { agents } = useTexts();
  const { number } = useFormats();
  const [{ asOf = '' }, set] = useSearchState();
  const change = useCallback((text: string) => set({ asOf: text === '' ? undefined : text }), [set]);
  const [typed, setTyped] = useTyped(asOf, change);
  const position = /^\d{1,15}$/.test(typed) ? Number(typed) : last;
  const [isOpen, setOpen] = useState(asOf !== '');
  return (
    <ExpandableSection
      toggleText={asOf === '' ? agents.earlier : agents.asItWas(asOf)}
      isExpanded={isOpen}
      onToggle={(_, opens) => setOpen(opens)}
    >
      <FormGroup label={agents.asOf} fieldId="as-of">
        <Flex gap={{ default: 'gapMd' }} alignItems={{ default: 'alignItemsCenter' }}>
          <TextInput
            id="as-of"
            className="portal-short"
            value={typed}
            placeholder={agents.now}
            aria-describedby="as-of-help"
            onChange={(_, text) => setTyped(text.trim())}
          />
          {last !== undefined && position !== undefined && (
            <FlexItem grow={{ default: 'grow' }}>
              <Slider
                min={0}
                max={last}
                value={Math.min(position, last)}
                showTicks={false}
                thumbAriaLabel={agents.position}
                onChange={(_, chosen) => setTyped(chosen >= last ? '' : String(Math.round(chosen)))}
              />
            </FlexItem>
          )}
          <Button variant="secondary" isDisabled={typed === ''} onClick={() => setTyped('')}>
            {agents.now}
          </Button>
        </Flex>
        <FormHelperText>
          <HelperText id="as-of-help">
            <HelperTextItem>{agents.asOfHelp(last === undefined ? '…' : number(last))}</HelperTextItem>
          </HelperText>
        </FormHelperText>
      </FormGroup>
    </ExpandableSection>
  );
}
