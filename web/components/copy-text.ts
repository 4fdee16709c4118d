/** Puts text into the clipboard; also over plain HTTP, where browsers keep the newer way to themselves. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copyBySelection(text),
    );
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('aria-hidden', 'true');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, which keeps the focus to itself.
  const home = document.activeElement?.parentElement ?? document.body;
  home.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
