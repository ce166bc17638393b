import markdownIt from 'markdown-it';

/**
 * HTML in Markdown is shown, not rendered: nothing of it runs, and a reviewer sees what an agent reads, comments
 * included. Links with another scheme than http, https and mailto stay text; images are not fetched.
 */
const renderer = markdownIt({ html: false, linkify: false, maxNesting: 20 }).disable('image');
renderer.validateLink = (url) => !/^[^/?#]*:/.test(url) || /^(?:https?|mailto):/i.test(url.trim());

/** Longer texts are not rendered: nobody reads them in a preview, and rendering takes time on everybody's thread. */
const longest = 64 * 1024;

/** The text as HTML that is safe to show; undefined where it is too long for it. */
export function safeHtml(markdown: string): string | undefined {
  return markdown.length > longest ? undefined : renderer.render(markdown);
}
