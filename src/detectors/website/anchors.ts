/**
 * Searches for many literal texts in one pass, in time linear in the text's length. Of two that start at the same place, the longer
 * one is found.
 */
export function anchorSearch(anchors: Iterable<string>): RegExp {
  const longestFirst = [...anchors].sort((a, b) => b.length - a.length);
  return new RegExp(
    longestFirst.map(anchor => anchor.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'),
    'g',
  );
}
