/** The search of the site, which runs in its pages. The index is loaded on first use; it works from files too. */
import MiniSearch from 'minisearch';
import { type Found, searchOptions } from './search-options.js';

declare global {
  var searchIndex: Parameters<typeof MiniSearch.loadJS>[0] | undefined;
}

const most = 12;
const place = document.querySelector<HTMLElement>('.search');
const field = document.querySelector<HTMLInputElement>('#search');
const list = document.querySelector<HTMLOListElement>('#found');
const status = document.querySelector<HTMLElement>('#found-status');
if (place && field && list && status) start(place, field, list, status);

function start(at: HTMLElement, input: HTMLInputElement, found: HTMLOListElement, told: HTMLElement): void {
  const root = at.dataset.root ?? './';
  let index: Promise<MiniSearch<Found>> | undefined;
  const load = () => {
    index ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${root}search-index.js`;
      script.onload = () => {
        if (globalThis.searchIndex) resolve(MiniSearch.loadJS<Found>(globalThis.searchIndex, searchOptions));
        else reject(new Error('the index is empty'));
      };
      script.onerror = () => reject(new Error('the index cannot be loaded'));
      document.head.append(script);
    });
    return index;
  };
  const show = async () => {
    const words = input.value.trim();
    const search = await load();
    // The input has changed meanwhile, and is searched by its own event.
    if (words !== input.value.trim()) return;
    const hits = words === '' ? [] : search.search(words).slice(0, most);
    found.replaceChildren(
      ...hits.map(({ id, page, heading }) => {
        const link = document.createElement('a');
        link.href = root + id;
        const title = document.createElement('b');
        title.textContent = heading;
        const from = document.createElement('span');
        from.textContent = ` ${page}`;
        link.append(title, from);
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
    found.hidden = hits.length === 0;
    told.textContent = words === '' ? '' : `${hits.length === most ? `${most} or more` : hits.length} found`;
  };
  input.addEventListener('focus', () => void load());
  input.addEventListener('input', () => void show());
  document.addEventListener('keydown', (event) => {
    const links = [...found.querySelectorAll('a')];
    const here = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === '/' && document.activeElement !== input && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    } else if (event.key === 'Escape') {
      found.hidden = true;
    } else if (
      (event.key === 'ArrowDown' || event.key === 'ArrowUp') &&
      (here >= 0 || document.activeElement === input)
    ) {
      event.preventDefault();
      const next = here + (event.key === 'ArrowDown' ? 1 : -1);
      if (next < 0) input.focus();
      else links[next]?.focus();
    } else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
  });
  at.hidden = false;
}
