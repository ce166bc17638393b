import markdownIt from 'markdown-it';
import { useDeferredValue, useMemo } from 'react';
import { Rendered } from './rendered.tsx';

/** As the service renders it: HTML within is text. */
const markdown = markdownIt({ html: false, linkify: false });

export default function MarkdownPreview({ text }: { readonly text: string }) {
  const shown = useDeferredValue(text);
  const html = useMemo(() => markdown.render(shown), [shown]);
  return <Rendered html={html} />;
}
