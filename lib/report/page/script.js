// Adds filters, copy buttons, and opening of entries. The page is readable without it.
const everyEntry = [...document.querySelectorAll('.entry')];
const search = document.querySelector('#filters');
const find = document.querySelector('#find');
const shown = document.querySelector('#shown');
const openAll = document.querySelector('#open-all');
const buttons = [...document.querySelectorAll('[data-show]')];
const allDetails = [...document.querySelectorAll('main .entries details, main .drift details')];

const textOf = (entry) =>
  `${(entry.querySelector('summary') ?? entry).textContent} ${entry.closest('section')?.querySelector('h2, h3')?.textContent ?? ''}`
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
const texts = new Map(everyEntry.map((entry) => [entry, textOf(entry)]));

function filter() {
  const kinds = buttons
    .filter((button) => button.getAttribute('aria-pressed') === 'true')
    .map((button) => button.dataset.show);
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const entry of everyEntry) {
    const entryKinds = entry.dataset.kind.split(' ');
    const isShown =
      (kinds.length === 0 || kinds.some((kind) => entryKinds.includes(kind))) &&
      words.every((word) => texts.get(entry).includes(word));
    entry.hidden = !isShown;
    if (isShown) count++;
  }
  const isFiltered = count < everyEntry.length;
  // Sections and lists without a shown entry are hidden too.
  for (const part of document.querySelectorAll('main .chapter, main .entries, .answers, .unanswered'))
    part.hidden = isFiltered && part.querySelector('.entry:not([hidden])') === null;
  shown.textContent = isFiltered ? `${count} of ${everyEntry.length} shown` : `${count} shown`;
}

function reset() {
  find.value = '';
  for (const button of buttons) button.setAttribute('aria-pressed', 'false');
  filter();
}

/** Opens and shows the entry that the fragment of the URL names, even if a filter hides it. */
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const entry = target?.closest('.entry');
  if (!entry) return;
  if (entry.hidden) reset();
  const details = target.closest('details') ?? entry.querySelector('.drift details');
  if (details) details.open = true;
  target.scrollIntoView();
}

for (const button of buttons) {
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
    filter();
  });
}
find.addEventListener('input', filter);
find.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') reset();
});
openAll.addEventListener('click', () => {
  const isOpening = allDetails.some(({ open }) => !open);
  for (const details of allDetails) details.open = isOpening;
  openAll.textContent = isOpening ? 'Close all' : 'Open all';
});
search.hidden = false;
addEventListener('hashchange', follow);
// A link to the current fragment fires no hashchange, but a filter may hide its entry.
document.addEventListener('click', ({ target }) => {
  if (target.closest('a[href^="#"]')) setTimeout(follow);
});
follow();

for (const button of document.querySelectorAll('.copy')) {
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

// Opens everything for print.
let closed = [];
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not(.keep):not([open])')];
  for (const details of closed) details.open = true;
});
addEventListener('afterprint', () => {
  for (const details of closed) details.open = false;
});
