import {
  Alert,
  Button,
  Card,
  CardBody,
  ExpandableSection,
  FileUpload,
  Flex,
  FlexItem,
  FormGroup,
  List,
  ListItem,
} from '@patternfly/react-core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Of } from '../../api/client.ts';
import { faultsIn, FieldHelp } from '../../parts/text-field.tsx';
import { Working } from '../../parts/working.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

/** A description, and how it is called: its file or its address. */
export interface Document {
  readonly text: string;
  readonly name: string;
  /** Where it was typed or pasted, it can be typed on until it is read. */
  readonly isTyped: boolean;
  /** While somebody is at it, it is neither read nor folded. */
  readonly isTyping?: boolean;
  /** The API that its address names. */
  readonly apiId?: string;
}

interface Given {
  readonly document: Document | undefined;
  readonly take: (document: Document | undefined) => void;
  /** What the service says that it is. */
  readonly read: UseQueryResult<Of<'DocumentReading'>>;
}

/** The description itself: dropped, chosen or pasted; once it is read, what it is, with its text folded. */
export function Description({ document, take, read }: Given) {
  const { importing } = useTexts();
  const isOpen =
    document === undefined || document.isTyping === true || (document.isTyped && read.data === undefined);
  return (
    <div className="portal-stack">
      {isOpen ? <Taking document={document} take={take} /> : <Taken {...{ document, take, read }} />}
      {read.isFetching && <Working what={importing.reading} />}
      {read.error !== null && <NotRead error={read.error} />}
    </div>
  );
}

function Taking({ document, take }: Omit<Given, 'read'>) {
  const { importing } = useTexts();
  return (
    <FormGroup label={importing.document} fieldId="import-document">
      <FileUpload
        id="import-document"
        type="text"
        value={document?.text ?? ''}
        filename=""
        aria-label={importing.document}
        filenamePlaceholder={importing.documentHint}
        filenameAriaLabel={importing.documentHint}
        browseButtonText={importing.browse}
        clearButtonText={importing.clear}
        // Not `onFileInputChange`, which is called twice of a file that was chosen, the second time late.
        dropzoneProps={{
          onDropAccepted: ([file]) => {
            if (file === undefined) return;
            void file.text().then((text) => take({ text, name: file.name, isTyped: false }));
          },
        }}
        onTextChange={({ nativeEvent }, text) => {
          const isTyping = (nativeEvent as InputEvent).inputType !== 'insertFromPaste';
          take(text === '' ? undefined : { text, name: importing.pasted, isTyped: true, isTyping });
        }}
        onTextAreaBlur={() => {
          if (document?.isTyping === true) take({ ...document, isTyping: false });
        }}
        onClearClick={() => take(undefined)}
      />
      <FieldHelp id="import-document" help={importing.documentHelp} />
    </FormGroup>
  );
}

function Taken({ document, take, read: { data } }: Given & { readonly document: Document }) {
  const { importing } = useTexts();
  const { number } = useFormats();
  const [isShown, show] = useState(false);
  const format = data && `${importing.formats[data.format] ?? data.format} ${data.formatVersion}`;
  return (
    <Card isCompact>
      <CardBody>
        <Flex
          justifyContent={{ default: 'justifyContentSpaceBetween' }}
          alignItems={{ default: 'alignItemsCenter' }}
        >
          <FlexItem className="portal-fit portal-wrap">
            <strong>{data?.title ?? document.name}</strong>
            {data?.version != null && `, ${importing.saysVersion(data.version)}`}
            <p className="portal-subtle">
              {[
                ...(data?.title == null ? [] : [document.name]),
                ...(data === undefined || format === undefined
                  ? []
                  : [importing.is(format, data.operations, number(data.operations))]),
              ].join(' · ')}
            </p>
          </FlexItem>
          <Button variant="secondary" onClick={() => take(undefined)}>
            {importing.otherDocument}
          </Button>
        </Flex>
        <ExpandableSection
          toggleText={isShown ? importing.hideText : importing.showText}
          isExpanded={isShown}
          onToggle={(_, isOn) => show(isOn)}
        >
          {isShown && (
            <pre className="portal-code portal-scroll" tabIndex={0} aria-label={importing.document}>
              {document.text.slice(0, MAX_SHOWN)}
            </pre>
          )}
        </ExpandableSection>
      </CardBody>
    </Card>
  );
}

/** So much of a long text is shown. */
const MAX_SHOWN = 200_000;

function NotRead({ error }: { readonly error: Error }) {
  const { importing } = useTexts();
  const faults = faultsIn(error).filter(({ detail }) => detail !== error.message);
  return (
    <Alert component="h2" isInline variant="danger" title={importing.notRead}>
      <p>{error.message}</p>
      {faults.length > 0 && (
        <List isPlain>
          {faults.map(({ pointer, detail }) => (
            <ListItem key={`${pointer} ${detail}`}>
              <code>{pointer.replace(/^\/document/, '')}</code> {detail}
            </ListItem>
          ))}
        </List>
      )}
    </Alert>
  );
}
