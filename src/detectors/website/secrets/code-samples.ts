/** Elements whose text documentation shows to people: what looks like a secret there is usually an example. */
const samples = ['pre', 'code', 'samp'];

/** Where a sample or an element without visible markup begins, whose end is searched for. */
const starts = /<!--|<(pre|code|samp|script|style|textarea|title|template)(?=[\s/>])/gi;
const ends = /<\/(pre|code|samp|script|style|textarea|title|template)(?=[\s/>])/gi;

interface Split {
  /** The page without the text of its samples. Their tags, attributes and comments remain. */
  readonly rest: string;
  /** The samples are among sentences, as in a manual. A page that only shows a file or an application's settings has none. */
  readonly explains: boolean;
}

/** A page without its samples of code, in time linear in its length. */
export function withoutCodeSamples(page: string): Split {
  let rest = '';
  let shown = '';
  let from = 0;
  let count = 0;
  starts.lastIndex = 0;
  for (let start = starts.exec(page); start !== null; start = starts.exec(page)) {
    const name = start[1]?.toLowerCase();
    const end = endOf(page, name, starts.lastIndex);
    // What is never closed is not taken for a sample.
    if (end === -1) break;
    const before = page.slice(from, start.index);
    const element = page.slice(start.index, end);
    const isSample = name !== undefined && samples.includes(name) && !/<script/i.test(element);
    rest += before + (isSample ? withoutText(element) : element);
    if (isSample) count += 1;
    shown += before;
    from = end;
    starts.lastIndex = end;
  }
  return {
    rest: rest + page.slice(from),
    explains: count >= enoughSamples && hasSentences(shown + page.slice(from)),
  };
}

function endOf(page: string, name: string | undefined, from: number): number {
  if (name === undefined) return page.indexOf('-->', from);
  ends.lastIndex = from;
  for (let end = ends.exec(page); end !== null; end = ends.exec(page)) {
    if (end[1]?.toLowerCase() === name) return end.index;
  }
  return -1;
}

/** The tags and comments of an element. */
function withoutText(element: string): string {
  let left = '';
  for (let at = element.indexOf('<'); at !== -1; ) {
    const mark = element.startsWith('<!--', at) ? '-->' : '>';
    const end = element.indexOf(mark, at);
    if (end === -1) return left + element.slice(at);
    left += element.slice(at, end + mark.length);
    at = element.indexOf('<', end);
  }
  return left;
}

/** Far more than a cookie notice beside a file that is shown, or a short note. */
const enoughSentences = 100;
const enoughSamples = 10;
const shortestSentence = 25;

function hasSentences(markup: string): boolean {
  const text = markup.replace(/<[^<>]{1,2000}>/g, ' ').replace(/\s+/g, ' ');
  const sentences = text.split(/[.!?:] |[。！？]/);
  // What follows the last one has no end.
  return sentences.slice(0, -1).filter(({ length }) => length >= shortestSentence).length >= enoughSentences;
}
