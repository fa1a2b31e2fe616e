/** Whether the page is being printed: lists then render all rows. */
import { signal } from '@preact/signals';

export const isPrinting = signal(false);
addEventListener('beforeprint', () => {
  isPrinting.value = true;
});
addEventListener('afterprint', () => {
  isPrinting.value = false;
});
