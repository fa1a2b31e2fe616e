/** The contents of a page: `/` leads to their search. Over the page, a choice closes them. */
const contents = document.getElementById('contents');
contents.addEventListener(
  'click',
  ({ target }) =>
    target.closest('a') && contents.matches(':popover-open') && contents.hidePopover(),
);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea')) return;
  event.preventDefault();
  const search = document.getElementById('search');
  if (!search.checkVisibility()) contents.showPopover();
  search.focus();
});
