/** Buttons that copy: <button data-copy="id of an input" hidden>. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const input = document.getElementById(button.dataset.copy);
    const text = input.value ?? input.textContent;
    await navigator.clipboard.writeText(text).catch(() => input.select());
    const label = button.textContent;
    button.textContent = button.dataset.copied ?? 'Copied';
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
}
