/** Titles and the markup beside them with which servers write listings. A page that only has such a title is none. */
const listings: readonly { readonly server: string; readonly parts: readonly (string | RegExp)[] }[] = [
  { server: 'nginx', parts: ['<title>Index of /', '<h1>Index of /', '<hr><pre><a href="'] },
  {
    server: 'Apache',
    parts: ['<title>Index of /', '<h1>Index of /', /Parent Directory<\/a>|href="\?C=N;O=[AD]"/],
  },
  { server: 'lighttpd', parts: ['<title>Index of /', '<div class="foot">lighttpd'] },
  { server: 'Caddy', parts: ['<div class="breadcrumbs">Folder Path</div>'] },
  {
    server: 'Python’s http.server',
    parts: ['<title>Directory listing for /', '<h1>Directory listing for /'],
  },
  {
    server: 'IIS',
    parts: [
      /<title>[^<]{1,255} - \/[^<]{0,300}<\/title>/i,
      /<hr>\s{0,4}<pre>\s{0,4}(?:<A HREF="[^"]{1,300}">\[To Parent Directory\]|(?:<br>)? {0,4}\d)/i,
      '<A HREF="',
    ],
  },
  { server: 'Tomcat', parts: ['<title>Directory Listing For ['] },
  { server: 'Jetty', parts: [/<title>Directory: \//i, /<h1(?: class="title")?>Directory: \//i] },
  { server: 'Express (serve-index)', parts: ['<title>listing directory /', '<ul id="files"'] },
  { server: 'an object store', parts: ['<ListBucketResult ', '<Contents>'] },
];

/** Which server wrote this listing of files; null when it is none. */
export function listingServer(body: string): string | null {
  const found = listings.find(({ parts }) =>
    parts.every(part => (typeof part === 'string' ? body.includes(part) : part.test(body))),
  );
  return found?.server ?? null;
}
