/** The contents of a page, where they lie over it: gone when one has chosen. */
const contents = document.getElementById('contents');
contents.addEventListener(
  'click',
  ({ target }) =>
    target.closest('a') && contents.matches(':popover-open') && contents.hidePopover(),
);
