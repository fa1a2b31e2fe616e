/**
 * The API reference: search, the language of all examples at once, and where in the page one is.
 * Without it everything can be read and searched, too.
 */
const $ = (id) => document.getElementById(id);
const contents = $('contents');
const operations = [...document.querySelectorAll('article.operation')].map((article) => ({
  article,
  link: contents.querySelector(`a[href="#${article.id}"]`),
  terms: [...article.querySelectorAll('h3, .endpoint, .scope, dt > code')]
    .map(({ textContent }) => textContent)
    .join(' ')
    .toLowerCase(),
}));

/** Leaves those that have every word in their names. */
function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { article, link, terms } of operations) {
    const fits = words.every(
      (word) => terms.includes(word) || article.id.toLowerCase().includes(word),
    );
    article.hidden = !fits;
    link.parentElement.hidden = !fits;
    found += fits;
  }
  const isAsked = words.length > 0;
  for (const group of document.querySelectorAll('.group'))
    group.hidden = isAsked && !group.querySelector('article:not([hidden])');
  for (const section of contents.querySelectorAll('section'))
    section.hidden = isAsked && !section.querySelector('li:not([hidden]) .method');
  document.querySelector('.intro').hidden = isAsked;
  $('found').textContent = isAsked
    ? `${found} of ${operations.length} operations. Enter searches the guides too.`
    : '';
  if (isAsked) document.querySelector('.reference').scrollIntoView({ behavior: 'instant' });
}

$('search').addEventListener('input', ({ target }) => search(target.value));
// What a link leads to must be there.
window.addEventListener('hashchange', () => {
  const target = $(decodeURIComponent(location.hash.slice(1)));
  if (!target || target.checkVisibility()) return;
  $('search').value = '';
  search('');
  target.scrollIntoView();
});

const kept = 'reference language';

function choose(language) {
  for (const input of document.querySelectorAll(`.samples input[value="${CSS.escape(language)}"]`))
    input.checked = true;
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.samples input')) return;
  // What is above grows or shrinks, too: the tab stays where it was.
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  window.scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  localStorage.setItem(kept, target.value);
});
choose(localStorage.getItem(kept) ?? 'curl');

// The forms of "Try it", and the return from a sign-in that one of them started.
const { try: tryModule } = document.querySelector('.reference').dataset;
for (const area of document.querySelectorAll('.try')) {
  area.hidden = false;
  const button = area.querySelector('button');
  button.addEventListener('click', async () => (await import(tryModule)).open(button));
}
if (new URLSearchParams(location.search).has('state')) import(tryModule).then((m) => m.resume());

const observer = new IntersectionObserver(
  (entries) => {
    const { target } = entries.findLast(({ isIntersecting }) => isIntersecting) ?? {};
    if (!target) return;
    for (const { article, link } of operations) {
      if (article !== target) link.removeAttribute('aria-current');
      else link.setAttribute('aria-current', 'true');
    }
  },
  { rootMargin: '-10% 0px -80% 0px' },
);
for (const { article } of operations) observer.observe(article);
