/**
 * Advisories of parts that run in Node.js only, such as proxies and streamed uploads of its HTTP client. A browser
 * is not affected, so they are reported with severity info. From the texts of the advisories.
 */
export const onServers: ReadonlySet<string> = new Set([
  'CVE-2019-10742', // axios: limit of the response's size
  'CVE-2020-28168', // axios: proxies
  'CVE-2024-39338', // axios: requests of servers to relative URLs
  'CVE-2025-58754', // axios: data: URLs
  'CVE-2025-62718', // axios: NO_PROXY
  'CVE-2026-39865', // axios: HTTP/2 sessions
  'CVE-2026-40175', // axios: headers with line breaks, which browsers refuse
  'CVE-2026-42034', // axios: limit of streamed requests
  'CVE-2026-42035', // axios: headers of the HTTP adapter
  'CVE-2026-42036', // axios: limit of streamed responses
  'CVE-2026-42037', // axios: multipart bodies of Node
  'CVE-2026-42038', // axios: NO_PROXY
  'CVE-2026-42043', // axios: NO_PROXY
  'CVE-2026-44486', // axios: proxies
  'CVE-2026-44487', // axios: proxies
  'CVE-2026-44489', // axios: proxies
  'CVE-2026-44492', // axios: NO_PROXY
  'CVE-2026-67315', // axios: NO_PROXY
  'CVE-2026-67318', // axios: HTTP/2 uploads
  'CVE-2026-67320', // axios: proxies of the HTTP adapter
  'CVE-2022-24785', // moment: names of files
  'CVE-2026-33941', // handlebars: the command line’s precompiler
]);

/** Libraries whose advisories without an identifier are about Node.js: axios’ redirects, Vue’s server renderer. */
export const unnamedOnServers: ReadonlySet<string> = new Set(['axios', 'vue']);
