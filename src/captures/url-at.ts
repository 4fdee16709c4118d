/**
 * The URL of a path, with its query, at an origin. Text of a target or a person is never resolved as a reference: `//other.example/a`
 * would name another host, and `//[/` is no URL at all.
 */
export function urlAt(origin: string, path: string): URL {
  const url = new URL(origin);
  const [, pathname, query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(path)!;
  url.pathname = pathname!;
  url.search = query;
  url.hash = '';
  return url;
}
