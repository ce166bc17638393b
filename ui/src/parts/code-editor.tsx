import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, type RefObject } from 'react';

interface Given {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  /** The language, and what else belongs to it: the same each time. */
  readonly language: Extension;
  /** Where the editor itself is put, for those who show something in it. */
  readonly view: RefObject<EditorView | undefined>;
}

/** Weight and slope alone: colours follow the theme. */
const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: 'bold' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, textDecoration: 'underline' },
  { tag: [tags.propertyName, tags.keyword], fontWeight: 'bold' },
  { tag: tags.comment, fontStyle: 'italic' },
]);

const theme = EditorView.theme({
  '&': {
    border: '1px solid var(--pf-t--global--border--color--control--default)',
    borderRadius: 'var(--pf-t--global--border--radius--small)',
    color: 'var(--pf-t--global--text--color--regular)',
    backgroundColor: 'var(--pf-t--global--background--color--primary--default)',
  },
  '.cm-content': {
    minHeight: '18rem',
    fontFamily: 'var(--pf-t--global--font--family--mono)',
    caretColor: 'var(--pf-t--global--text--color--regular)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--pf-t--global--text--color--regular)' },
  '.cm-gutters': {
    color: 'var(--pf-t--global--text--color--subtle)',
    backgroundColor: 'var(--pf-t--global--background--color--secondary--default)',
    border: 'none',
  },
  '.cm-scroller': { maxHeight: '36rem' },
  '.cm-tooltip': {
    color: 'var(--pf-t--global--text--color--regular)',
    backgroundColor: 'var(--pf-t--global--background--color--floating--default)',
    border: '1px solid var(--pf-t--global--border--color--default)',
  },
});

/** The nonce of the page: the editor makes a style of its own. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
}

/** An editor of a text in some language. Tab leaves it, as it leaves any field. */
export function CodeEditor({ label, value, change, language, view }: Given) {
  const place = useRef<HTMLDivElement>(null);
  const changed = useRef(change);
  const first = useRef(value);
  useEffect(() => {
    changed.current = change;
  }, [change]);
  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          EditorView.cspNonce.of(nonce()),
          ...[lineNumbers(), history(), EditorView.lineWrapping, language, syntaxHighlighting(style), theme],
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.editable.of(place.current.closest('fieldset:disabled') === null),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed.current(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language, view]);
  useEffect(() => {
    const { current } = view;
    // The editor ends every line in one way.
    if (current === undefined || current.state.doc.toString() === value.replaceAll(/\r\n?/g, '\n')) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } });
  }, [value, view]);
  return <div ref={place} />;
}
