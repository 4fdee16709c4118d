/** Characteristics of a response that identify the page it came from. */
export interface PageTraits {
  readonly status: number;
  /** Of the first title element, without the markers that were sent. */
  readonly title: string;
  /** The markers that occur anywhere in the body. */
  readonly echoed: readonly string[];
}

/** @param markers letters and digits that were sent in parameters */
export function pageTraits(status: number, body: string, markers: readonly string[]): PageTraits {
  const [, title = ''] = /<title[^>]{0,200}>([^<]{0,300})/i.exec(body) ?? [];
  const [name = ''] = markers.reduce((text, marker) => text.replaceAll(marker, ' '), title).split(/["'&]/);
  return { status, title: name.trim(), echoed: markers.filter(marker => body.includes(marker)) };
}

/**
 * Whether a request with markup in its parameters was answered by the page itself, as one with plain letters was: with
 * the same status, and with the same reflected text or at least the same title. A firewall that blocks such requests
 * answers with a different page.
 */
export function isOwnAnswer(harmless: PageTraits, marked: PageTraits): boolean {
  if (harmless.status !== marked.status) return false;
  const isEchoed = harmless.echoed.every(marker => marked.echoed.includes(marker));
  return isEchoed || (harmless.title !== '' && harmless.title === marked.title);
}
