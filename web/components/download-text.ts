/** Saves text as a file without a request to the service. */
export function downloadText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers start reading only after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
