/** `f="3.5.1"`, as minifiers and people write it. */
const assignment =
  /(?<![\w$.])([\w$]{1,30}) ?= ?["'`](\d{1,4}(?:\.\d{1,5}){1,3}(?:-(?:alpha|beta|rc|canary)[.\d]{0,8})?)["'`]/g;

/** Characters between the assignment of a version to a variable and its use, at most: a large library. */
const farthest = 400_000;

/** The variables of a script that a version is assigned to. The script is searched once, when one is used. */
export class VersionVariables {
  readonly #text: string;
  #places: ReadonlyMap<string, readonly { readonly at: number; readonly version: string }[]> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The version that was assigned to a variable last, before a place. */
  before(variable: string, end: number): string | undefined {
    this.#places ??= this.#search();
    const places = this.#places.get(variable) ?? [];
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle]!.at < end) low = middle + 1;
      else high = middle;
    }
    const last = places[low - 1];
    return last === undefined || end - last.at > farthest ? undefined : last.version;
  }

  #search() {
    const places = new Map<string, { at: number; version: string }[]>();
    for (const { index, 1: variable = '', 2: version = '' } of this.#text.matchAll(assignment)) {
      const list = places.get(variable) ?? [];
      list.push({ at: index, version });
      places.set(variable, list);
    }
    return places;
  }
}
