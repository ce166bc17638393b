import { Content } from '@patternfly/react-core';
import { createElement, useMemo, type ReactNode } from 'react';

const tags = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li strong em s del code pre blockquote hr br table thead tbody tr th td'.split(
    ' ',
  ),
);
const safeLink = /^(?:https?:|mailto:)/i;

/**
 * HTML that was made of Markdown, as elements of this page: those of the list alone, without attributes. Images are named, not
 * fetched; links of other schemes are text. Headings stand one level lower: a page's only first heading is its own.
 */
export function Rendered({ html }: { readonly html: string }) {
  const content = useMemo(() => {
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    return childrenOf(body);
  }, [html]);
  return (
    <Content className="portal-markdown" isEditorial>
      {content}
    </Content>
  );
}

function childrenOf(node: Node): readonly ReactNode[] {
  return [...node.childNodes].map((child, index) => elementOf(child, index));
}

function elementOf(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (name === 'img') return `[${node.getAttribute('alt') ?? ''}]`;
  const children = childrenOf(node);
  if (name === 'a') {
    const href = node.getAttribute('href') ?? '';
    if (!safeLink.test(href)) return children;
    return (
      <a key={key} href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  }
  if (!tags.has(name)) return children;
  if (name === 'hr' || name === 'br') return createElement(name, { key });
  const shown = name.replace(/^h([1-5])$/, (_, level) => `h${Number(level) + 1}`);
  return createElement(shown, { key }, ...children);
}
