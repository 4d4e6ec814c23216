/** Renders the project's Markdown. */

import { Marked, type Tokens } from 'marked';
import { Html } from '../../conformance/engine/report/html/parts.js';

/** A section of a page, for the search. */
interface Part {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: Html;
  readonly title: string;
  readonly parts: readonly Part[];
}

/** The id of a heading, as on GitHub, so that links in guides work in both places. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/<[^>]*>|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Renders a text of this project. `link` maps links to pages of the site, or to undefined if there is no such page. */
export function render(markdown: string, link: (href: string) => string | undefined): Rendered {
  const parts: { id: string; title: string; text: string }[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const base = slug(plain(inner));
        const times = taken.get(base) ?? 0;
        taken.set(base, times + 1);
        const id = times === 0 ? base : `${base}-${times}`;
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = link(href);
        return target === undefined ? inner : `<a href="${target.replaceAll('"', '&quot;')}">${inner}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${link(href) ?? href}" alt="${text.replaceAll('"', '&quot;')}" loading="lazy">`;
      },
    },
  });
  let tables = 0;
  // Wide tables and code scroll on their own, and can be focused by keyboard.
  const html = (marked.parse(markdown, { async: false }) as string)
    .replaceAll('<table>', () => {
      tables += 1;
      return `<div class="scroll" role="region" aria-label="Table ${tables}" tabindex="0"><table>`;
    })
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
  for (const [, id = '', heading = '', body = ''] of html.matchAll(
    /<h[1-6] id="([^"]*)">(.*?)<\/h[1-6]>(.*?)(?=<h[1-6] id=|$)/gs,
  ))
    parts.push({ id, title: plain(heading), text: plain(body) });
  return { html: new Html(html), title: parts[0]?.title ?? '', parts };
}

/** Renders short texts of the contract, which have no links. */
export const inline = (text: string): Html => new Html(new Marked().parse(text, { async: false }).trim());
