/** Elements whose text documentation shows to people: what looks like a secret there is usually an example. */
const elements = ['<pre', '<code'];

/** A page without its samples of code. */
export function withoutCodeSamples(page: string): string {
  return elements.reduce(without, page);
}

function without(page: string, start: string): string {
  let left = '';
  let from = 0;
  for (;;) {
    const begin = page.indexOf(start, from);
    const end = begin < 0 ? -1 : page.indexOf(`</${start.slice(1)}`, begin);
    if (end < 0) return left + page.slice(from);
    left += page.slice(from, begin);
    from = end;
  }
}
