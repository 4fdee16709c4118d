/** Path of the dashboard, including a proxy's prefix, with a trailing slash: `/dashboard/`. */
export const basePath = new URL(document.baseURI).pathname;

/** URL of the API for clients, without a trailing slash. */
export const serviceUrl = new URL('..', document.baseURI).href.replace(/\/+$/, '');

/** The word in the headers of signed requests (`PARAPET_BRAND`). */
export const brand =
  document.querySelector<HTMLMetaElement>('meta[name=parapet-brand]')?.content ?? 'service';
