/** Words of URLs that may trigger an action. GET requests should not, but on some sites they do. */
const acting =
  `accept activate add apply approve buy cancel charge checkout clear close confirm copy create cron deactivate
  delete deny destroy disable drop enable execute generate grant invite join leave lock logoff logout move pay process
  publish purge quit reject remove rename renew reset restart restore resume revoke rotate run save schedule send set
  signout start stop submit subscribe switch sync toggle trash trigger uninstall unlock unsubscribe update upgrade upvote
  verify vote webhook wipe write`.split(/\s+/);

/** Words that may trigger an action in a query, but are usual names of folders and pages. */
const usualNames =
  `archive block book cart edit export follow import install like login logon mark new open order
  post refresh register share signin signup upload`.split(/\s+/);

const inPath = new Set(acting);
const inLink = new Set([...acting, ...usualNames]);

const wordsOf = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Whether a request for a link, with these parameters, may act on its words. */
export function linkMayAct(url: URL, names: readonly string[]): boolean {
  const query = [...url.searchParams].flat().join(' ');
  return wordsOf(`${url.pathname} ${query} ${names.join(' ')}`).some(word => inLink.has(word));
}

/** Whether a request for a path that is no link may act. */
export const mayAct = (path: string): boolean => wordsOf(path).some(word => inPath.has(word));
