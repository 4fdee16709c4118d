/** Copies text to the clipboard, also over plain HTTP, where browsers withhold the Clipboard API. */
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
  // An open dialog traps the focus, so the text has to be selected inside of it.
  const parent = document.activeElement?.parentElement ?? document.body;
  parent.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
