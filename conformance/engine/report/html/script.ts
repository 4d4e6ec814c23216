/**
 * The script of the page. The source of these functions is put into the file, so they use nothing outside themselves.
 * Texts of the target are only set as text, never as markup.
 */
import type { ReportedExchange } from '../../vocabulary/report.js';
import type { Body } from '../../vocabulary.js';
import { visible } from '../text.js';

function page(show: (text: string) => string): void {
  const pageSize = 100;
  const longestBody = 50_000;

  const find = <T extends HTMLElement>(id: string): T => {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no #${id}`);
    return found as T;
  };
  const make = (tag: string, kind: string, ...content: (Node | string)[]): HTMLElement => {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    made.append(...content);
    return made;
  };
  const lines = (text: string) => text.split('\n').map(show).join('\n');

  const exchanges: ReportedExchange[] = JSON.parse(find('data').textContent ?? '[]');
  const byId = new Map(exchanges.map((one) => [one.id, one]));
  const evidence: Readonly<Record<string, readonly string[]>> = JSON.parse(find('evidence').textContent ?? '{}');
  const { addresses, startedAt, telling } = find('exchange-list').dataset;
  const told = new Set((telling ?? '').split(' ').map(Number));
  const begun = Date.parse(startedAt ?? '');

  // ---- one exchange, filled in when it is opened

  const bodyText = (body: Body): string => {
    if (body.kind === 'none') return '';
    const text = body.kind === 'json' ? JSON.stringify(body.value, null, 2) : body.text;
    return text.length > longestBody
      ? `${text.slice(0, longestBody)}\n… ${text.length - longestBody} characters more`
      : text;
  };
  const message = (title: string, first: string, headers: Record<string, string>, body: Body): Node[] => {
    const head = [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].map(show);
    const text = lines(bodyText(body));
    const block = make('pre', '', make('span', 'head', head.join('\n')), text && `\n\n${text}`);
    block.tabIndex = 0;
    const note = body.kind === 'not-json' ? `No JSON: ${body.error}. ` : '';
    const size = body.kind === 'none' ? 'no body' : `${note}${body.bytes.toLocaleString('en')} bytes`;
    return [make('p', 'label', title, ' ', make('span', 'times', show(size))), block];
  };
  const fill = (details: HTMLElement, one: ReportedExchange): void => {
    const { request, response, failure } = one;
    const when = `${new Date(one.at).toISOString()}, ${((one.at - begun) / 1000).toFixed(3)} s into the run`;
    const content = make(
      'div',
      'content',
      make('p', 'when', `${one.operation ?? 'no operation of the contract'} · ${when}`),
    );
    content.append(...message('Request', `${request.method} ${request.url}`, request.headers, request.body));
    if (response) content.append(...message('Answer', String(response.status), response.headers, response.body));
    if (failure)
      content.append(make('p', 'label', 'No answer'), make('p', '', show(`${failure.kind}: ${failure.message}`)));
    if (response?.repeatsKey)
      content.append(make('p', 'warning', 'The answer repeated an API key; it is redacted here.'));
    const rules = evidence[one.id] ?? [];
    if (rules.length > 0) {
      const links = rules.flatMap((name, index) => {
        const id = name.replace('!', '');
        const link = make('a', '', show(id)) as HTMLAnchorElement;
        link.href = `#${name.startsWith('!') ? 'rule' : 'row'}-${id}`;
        return [...(index > 0 ? [', '] : []), ...(name.startsWith('!') ? ['✕ '] : []), link];
      });
      content.append(make('p', 'rules', 'Evidence for ', ...links));
    }
    const curl = make('pre', 'curl', make('code', '', show(one.curl)));
    curl.tabIndex = 0;
    content.append(make('div', 'again', make('p', 'label', 'Send it again'), copyable(make('div', 'copyable', curl))));
    details.append(content);
  };
  const filled = (details: HTMLDetailsElement): void => {
    const one = byId.get(Number(details.dataset.exchange ?? 'NaN'));
    if (one && !details.querySelector('.content')) fill(details, one);
  };
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open) filled(target);
    },
    true,
  );

  // ---- copying

  function copyable(block: HTMLElement): HTMLElement {
    const button = make('button', 'copy', 'Copy') as HTMLButtonElement;
    button.type = 'button';
    button.addEventListener('click', () => {
      const source = block.querySelector('code');
      if (!source) return;
      const done = () => {
        button.textContent = 'Copied';
        find('status').textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, 2000);
      };
      const byHand = () => {
        getSelection()?.selectAllChildren(source);
        if (document.execCommand('copy')) done();
      };
      if (navigator.clipboard) navigator.clipboard.writeText(source.textContent ?? '').then(done, byHand);
      else byHand();
    });
    block.append(button);
    return block;
  }
  for (const block of document.querySelectorAll<HTMLElement>('.copyable')) copyable(block);

  // ---- the list: a page at a time, so that five thousand cost no more than a hundred

  const search = find<HTMLInputElement>('search');
  const list = find('exchange-list');
  let chosen = exchanges;
  let first = 0;

  const bases = (addresses ?? '').split(' ').filter(Boolean);
  const pathOf = ({ request: { url } }: ReportedExchange) =>
    url.slice(bases.find((base) => url.startsWith(`${base}/`))?.length ?? 0);
  const answerOf = ({ response, failure }: ReportedExchange) =>
    response ? String(response.status) : `no answer (${failure?.kind ?? 'none recorded'})`;

  const row = (one: ReportedExchange): HTMLElement => {
    const summary = make(
      'summary',
      '',
      make('span', 'number', `#${one.id}`),
      make('span', 'call', make('b', '', show(one.request.method)), ` ${show(pathOf(one))}`),
      make('span', one.response ? 'answer' : 'answer none', `${answerOf(one)}, ${Math.round(one.durationMs)} ms`),
      make('span', 'step', show(one.step ? `${one.scenario}/${one.step}` : '')),
    );
    const details = make('details', told.has(one.id) ? 'exchange told' : 'exchange', summary);
    details.id = `exchange-${one.id}`;
    details.dataset.exchange = String(one.id);
    return make('li', '', details);
  };
  const draw = () => {
    list.replaceChildren(...chosen.slice(first, first + pageSize).map(row));
    const last = Math.min(first + pageSize, chosen.length);
    const range = chosen.length === 0 ? 'None' : `${(first + 1).toLocaleString('en')} to ${last.toLocaleString('en')}`;
    find('range').textContent = `${range} of ${chosen.length.toLocaleString('en')}`;
    find<HTMLButtonElement>('previous').disabled = first === 0;
    find<HTMLButtonElement>('next').disabled = last >= chosen.length;
  };
  /** Hides the lines that do not have every word; what is found in a closed section opens it. */
  const filter = (words: readonly string[]) => {
    let count = 0;
    for (const line of document.querySelectorAll<HTMLElement>('[data-find]')) {
      const isFound = words.every((word) => line.dataset.find?.includes(word));
      line.hidden = !isFound;
      if (isFound && line.id.startsWith('row-')) count += 1;
    }
    // A heading without lines stands for nothing.
    for (const part of document.querySelectorAll<HTMLElement>('.cause, main > section')) {
      const rows = [...part.querySelectorAll<HTMLElement>('[data-find]')];
      part.hidden = rows.length > 0 && rows.every(({ hidden }) => hidden);
    }
    const rules = document.querySelector<HTMLDetailsElement>('#rules > details');
    if (rules && words.length > 0 && count > 0) rules.open = true;
    find('status').textContent = words.length === 0 ? '' : `${count} rules, ${chosen.length} exchanges`;
  };
  const wordsOf = () => search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const choose = () => {
    const words = wordsOf();
    chosen = exchanges.filter((one) => {
      const text =
        `#${one.id} ${one.request.method} ${pathOf(one)} ${one.operation} ${answerOf(one)} ${one.scenario}/${one.step} ${(evidence[one.id] ?? []).join(' ')}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    first = 0;
    draw();
    filter(words);
  };
  search.addEventListener('input', () => {
    choose();
    // Of a page from a file, nothing but the part after # may be changed.
    const address = search.value ? `#find=${encodeURIComponent(search.value)}` : '#';
    history.replaceState(null, '', address);
  });
  const turn = (by: number) => () => {
    first += by;
    draw();
    find('exchanges-title').scrollIntoView();
  };
  find('previous').addEventListener('click', turn(-pageSize));
  find('next').addEventListener('click', turn(pageSize));

  const decodedHash = () => {
    const text = location.hash.slice(1);
    try {
      return decodeURIComponent(text);
    } catch {
      // Typed by hand.
      return text;
    }
  };
  /** A link finds what it names, whatever is filtered, closed, or on another page. */
  const follow = () => {
    const name = decodedHash();
    if (name.startsWith('find=')) {
      search.value = name.slice('find='.length);
      choose();
      return;
    }
    const id = Number(/^exchange-(\d+)$/.exec(name)?.[1] ?? 'NaN');
    if (byId.has(id)) {
      if (!chosen.some((one) => one.id === id)) {
        search.value = '';
        choose();
      }
      const place = chosen.findIndex((one) => one.id === id);
      first = place - (place % pageSize);
      draw();
    }
    const target = name ? document.getElementById(name) : null;
    if (!target) return;
    for (let around: HTMLElement | null = target; around; around = around.parentElement) {
      around.hidden = false;
      if (around instanceof HTMLDetailsElement) around.open = true;
    }
    const inner = target.querySelector<HTMLDetailsElement>(':scope > details, :scope > th > details');
    if (inner) inner.open = true;
    target.scrollIntoView();
    if (target instanceof HTMLDetailsElement) target.querySelector('summary')?.focus({ preventScroll: true });
  };

  // ---- the keyboard: / finds

  document.addEventListener('keydown', (event) => {
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.matches('input[type="search"], select, textarea');
    if (event.key === 'Escape' && target === search) search.blur();
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') {
      event.preventDefault();
      search.focus();
      search.select();
    }
  });

  addEventListener('hashchange', follow);
  draw();
  follow();
}

/** Some compilers wrap functions in a helper `__name`, which has to be defined in the page. */
export const script = `'use strict';const __name=(made)=>made;(${page})(${visible});`;
