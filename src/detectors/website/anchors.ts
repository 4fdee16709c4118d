/**
 * Searches for many literal texts in one pass, in linear time. Of two that start at the same position, the
 * longer one is found.
 */
export function anchorSearch(anchors: Iterable<string>): RegExp {
  const longestFirst = [...anchors].sort((a, b) => b.length - a.length);
  return new RegExp(
    longestFirst.map(anchor => anchor.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'),
    'g',
  );
}
