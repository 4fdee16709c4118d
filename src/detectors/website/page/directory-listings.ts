const heading = (text: string) => new RegExp(`<h1(?: [a-z-]{1,20}="[^"<>]{0,80}"){0,3}>\\s{0,8}${text}`, 'i');

/**
 * Titles and further markup of listings by server; literal text is in lowercase. A page that only has such a
 * title is not a listing.
 */
const listings: readonly { readonly server: string; readonly parts: readonly (string | RegExp)[] }[] = [
  {
    server: 'nginx',
    parts: ['<title>index of /', heading('Index of /'), /<hr>\s{0,8}<pre>\s{0,8}<a href="/i],
  },
  // Its machine-readable formats (autoindex_format).
  {
    server: 'nginx',
    parts: [/^\s{0,8}\[\s{0,8}\{\s{0,8}"name":"/, /"type":"(?:file|directory)"/, /"mtime":"/],
  },
  { server: 'nginx', parts: [/<list>\s{0,8}<(?:file|directory) mtime="/] },
  {
    server: 'Apache',
    parts: [
      '<title>index of /',
      heading('Index of /'),
      /Parent Directory<\/a>|href="\?C=N;O=[AD]"|<ul><li><a href="/i,
    ],
  },
  {
    server: 'nginx (fancyindex)',
    parts: ['<title>index of /', heading('Index of /'), /href="\?C=N&(?:amp;)?O=A"/i],
  },
  { server: 'lighttpd', parts: ['<title>index of /', '<div class="foot">lighttpd'] },
  { server: 'Caddy', parts: ['<div class="breadcrumbs">folder path</div>'] },
  // Before 2.7.
  { server: 'Caddy', parts: ['<span class="meta-item">', /href="\?sort=namedirfirst&(?:amp;)?order=/i] },
  {
    server: 'Python’s http.server',
    parts: ['<title>directory listing for /', heading('Directory listing for /')],
  },
  {
    server: 'IIS',
    parts: [
      /<title>[^<]{1,255} - \/[^<]{0,300}<\/title>/i,
      /<hr>\s{0,4}<pre>\s{0,4}(?:<A HREF="[^"]{1,300}">\[[^\]<]{1,60}\]<\/A>|(?:<br>)? {0,4}\d)/i,
      '<a href="',
    ],
  },
  {
    server: 'Go',
    parts: [
      /^\s{0,8}(?:<!doctype html>\s{0,8}<meta name="viewport"[^>]{0,80}>\s{0,8})?<pre>\s{0,4}<a href="/i,
      /<\/a>\s{0,4}<\/pre>\s{0,8}$/i,
    ],
  },
  { server: 'serve', parts: ['<title>files within ', '<ul id="files"'] },
  { server: 'Node.js (http-server)', parts: ['<title>index of /', '<address>node.js v'] },
  { server: 'Tomcat', parts: ['<title>directory listing for ['] },
  { server: 'Jetty', parts: [/<title>Directory: \//i, /<h1(?: class="title")?>Directory: \//i] },
  { server: 'Express (serve-index)', parts: ['<title>listing directory /', '<ul id="files"'] },
  { server: 'Amazon S3 or a compatible store', parts: ['<listbucketresult ', '<contents>'] },
];

/** The server that generated this directory listing; null if it is not one. */
export function listingServer(body: string): string | null {
  const lower = body.toLowerCase();
  const found = listings.find(({ parts }) =>
    parts.every(part => (typeof part === 'string' ? lower.includes(part) : part.test(body))),
  );
  return found?.server ?? null;
}
