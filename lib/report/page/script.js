// Adds filters, keys, copy buttons, and opening of entries. The page is readable without it.
const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];
const everyEntry = $$('.entry');
const find = $('#find');
const buttons = $$('[data-show]');
const allDetails = $$('.entries .entry > details');

const textOf = (entry) =>
  `${(entry.querySelector('summary') ?? entry).textContent} ${entry.closest('section')?.querySelector('h2')?.textContent ?? ''}`
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
const texts = new Map(everyEntry.map((entry) => [entry, textOf(entry)]));
const wordsIn = ({ value }) => value.toLowerCase().split(/\s+/).filter(Boolean);
const isPressed = (button) => button.getAttribute('aria-pressed') === 'true';
const press = (button, isOn) => button.setAttribute('aria-pressed', String(isOn));

function filter() {
  const kinds = buttons.filter(isPressed).map((button) => button.dataset.show);
  const words = wordsIn(find);
  let count = 0;
  for (const entry of everyEntry) {
    const entryKinds = entry.dataset.kind.split(' ');
    const isShown =
      (kinds.length === 0 || kinds.some((kind) => entryKinds.includes(kind))) &&
      words.every((word) => texts.get(entry).includes(word));
    entry.hidden = !isShown;
    if (isShown) count++;
  }
  const isFiltered = kinds.length + words.length > 0;
  // What has no shown entry is hidden too.
  for (const part of $$('main .chapter, main .entries, .unanswered, .sentences'))
    part.hidden = isFiltered && part.querySelector('.entry:not([hidden])') === null;
  for (const part of $$('.unanswered')) part.open = isFiltered;
  $('#nothing').hidden = count > 0;
  $('#shown').textContent = isFiltered ? `${count} of ${everyEntry.length} shown` : `${count} shown`;
  remember(kinds, find.value);
}

/** Keeps the filter in the address, so that it can be passed on. */
function remember(kinds, words) {
  const query = new URLSearchParams({
    ...(kinds.length > 0 && { show: kinds.join(',') }),
    ...(words !== '' && { find: words }),
  }).toString();
  if (query === location.search.slice(1)) return;
  try {
    history.replaceState(null, '', `${location.pathname}${query && `?${query}`}${location.hash}`);
  } catch {
    // Some browsers do not allow that for files.
  }
}

function reset() {
  find.value = '';
  for (const button of buttons) press(button, false);
  filter();
}

/** Opens and shows the entry or the exchange that the fragment of the URL names, even if a filter hides it. */
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest('[hidden]')) {
    reset();
    $('#find-exchange').value = '';
    findExchanges();
  }
  const details = target.closest('details') ?? target.querySelector(':scope > details');
  if (details && !details.matches('.contents')) details.open = true;
  target.scrollIntoView();
}

for (const button of buttons)
  button.addEventListener('click', () => {
    press(button, !isPressed(button));
    filter();
  });
find.addEventListener('input', filter);
$('#reset').addEventListener('click', reset);
$('#open-all').addEventListener('click', ({ target }) => {
  const isOpening = allDetails.some(({ open }) => !open);
  for (const details of allDetails) details.open = isOpening;
  target.textContent = isOpening ? 'Close all' : 'Open all';
});

const logged = $$('.log > li[id]');
function findExchanges() {
  if (logged.length === 0) return;
  const words = wordsIn($('#find-exchange'));
  for (const one of logged) {
    const text = one.textContent.toLowerCase();
    one.hidden = !words.every((word) => text.includes(word));
  }
  const count = logged.filter(({ hidden }) => !hidden).length;
  $('#found-exchanges').textContent = words.length === 0 ? '' : `${count} of ${logged.length} exchanges`;
}
$('#find-exchange')?.addEventListener('input', findExchanges);
if (logged.length > 0) $('#log-filter').hidden = false;

/** Moves to another entry. @param step 1 or -1 @param selector of entries */
function move(step, selector) {
  const all = $$(selector).filter((one) => !one.closest('[hidden]') && one.checkVisibility());
  const at = all.indexOf(document.activeElement?.closest?.('.entry')?.querySelector('summary'));
  const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next;
}
const keys = {
  '/': () => find.focus(),
  j: () => move(1, '.entries .entry > details > summary'),
  k: () => move(-1, '.entries .entry > details > summary'),
  e: () => {
    const summary = move(1, '.entries .entry > details.fail > summary');
    if (summary) summary.parentElement.open = true;
  },
  Escape: () => {
    const details = document.activeElement?.closest('main details[open]');
    if (!details) return;
    details.open = false;
    details.querySelector('summary').focus();
  },
};
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || !Object.hasOwn(keys, key) || target.matches('input')) return;
  event.preventDefault();
  keys[key]();
});

// Marks the chapter that is being read.
const links = new Map($$('nav a').map((link) => [link.hash.slice(1), link]));
const reading = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute('aria-current');
      links.get(target.getAttribute('aria-labelledby'))?.setAttribute('aria-current', 'true');
    }
  },
  { rootMargin: '-10% 0px -85%' },
);
for (const section of $$('main > section')) reading.observe(section);

const given = new URLSearchParams(location.search);
find.value = given.get('find') ?? '';
for (const button of buttons)
  press(button, (given.get('show') ?? '').split(',').includes(button.dataset.show));
$('#filters').hidden = false;
filter();
addEventListener('hashchange', follow);
// A link to the current fragment fires no hashchange, but a filter may hide its entry.
document.addEventListener('click', ({ target }) => {
  if (target.closest('a[href^="#"]')) setTimeout(follow);
});
follow();

for (const button of $$('.copy')) {
  button.hidden = false;
  const [label] = button.childNodes;
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code');
    label.textContent = (await copied(code)) ? 'Copied' : 'Selected: copy it now';
    setTimeout(() => (label.textContent = 'Copy'), 2000);
  });
}

/** Copies a text. If the browser forbids that, selects it. @returns whether it was copied */
async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return false;
  }
}

// Opens what failed for print.
let closed = [];
addEventListener('beforeprint', () => {
  closed = $$('.entry > :is(details.fail, details.warn):not([open])');
  for (const details of closed) details.open = true;
});
addEventListener('afterprint', () => {
  for (const details of closed) details.open = false;
});
