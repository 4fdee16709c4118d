/** What an answer shows of the page that gave it. */
export interface PageTraits {
  readonly status: number;
  /** Of the first that the body names, without the marks that were sent. */
  readonly title: string;
  /** Those of the marks that the body has somewhere. */
  readonly echoed: readonly string[];
}

/** @param markers letters and digits that were sent in parameters */
export function pageTraits(status: number, body: string, markers: readonly string[]): PageTraits {
  const [, title = ''] = /<title[^>]{0,200}>([^<]{0,300})/i.exec(body) ?? [];
  const [name = ''] = markers.reduce((text, marker) => text.replaceAll(marker, ' '), title).split(/["'&]/);
  return { status, title: name.trim(), echoed: markers.filter(marker => body.includes(marker)) };
}

/**
 * Whether the page itself answered a request with markup in its parameters as it answers one with letters: with that status, and with
 * the text or at least the title that it had then. What blocks such requests answers with a page of its own.
 */
export function isOwnAnswer(harmless: PageTraits, marked: PageTraits): boolean {
  if (harmless.status !== marked.status) return false;
  const isEchoed = harmless.echoed.every(marker => marked.echoed.includes(marker));
  return isEchoed || (harmless.title !== '' && harmless.title === marked.title);
}
