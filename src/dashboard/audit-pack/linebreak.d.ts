/** The part of the line breaker that is used here: Unicode Standard Annex 14, in linear time. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next place to break, in UTF-16 code units from the beginning; null after the last. */
    nextBreak(): { readonly position: number } | null;
  }
}
