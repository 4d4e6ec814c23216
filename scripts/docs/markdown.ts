import { Marked, type Tokens } from 'marked';
import { Html } from '../../conformance/engine/report/html/parts.js';

/** A part of a page under a heading of its own, for the search. */
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

/** As GitHub makes it of a heading, so that links of the guides work here as there. */
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

/** A text of this project as markup. `link` says where a link leads from here; undefined where there is no such page. */
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
  // What is wide scrolls by itself, and the keyboard reaches it.
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

/** A sentence or two of the contract's sources, in which nothing leads anywhere. */
export const inline = (text: string): Html => new Html(new Marked().parse(text, { async: false }).trim());
