/** `f="3.5.1"`, as minifiers and people write it. */
const assignment =
  /["'`](?=\d)(?<=(?<![\w$.])([\w$]{1,30}) ?= ?["'`])(\d{1,4}(?:\.\d{1,5}){0,3}(?:-(?:alpha|beta|rc|canary)[.\d]{0,8})?)["'`]/g;

/** `111(e){e.exports={r:"0.27.2"}}`, as webpack includes the version of a package.json. */
const exported =
  /(?<!\d)(\d{1,7})(?:\(\w\)|: ?(?:function ?\(\w\)|\(?\w\)? ?=>)) ?\{(?:"use strict";)?\w\.exports=(?:JSON\.parse\(')?\{"?(\w{1,9})"?:["'`](\d{1,4}(?:\.\d{1,5}){1,3})["'`]/g;

/** The same in a list of modules, whose place is their number. */
const exportedInList =
  /[[,]function\(\w(?:,\w){0,2}\)\{(?:"use strict";)?\w\.exports=\{"?(\w{1,9})"?:["'`](\d{1,4}(?:\.\d{1,5}){1,3})["'`]\}\}/g;

/** Characters between the assignment of a version to a variable and its use, at most: a large library. */
const farthest = 400_000;

interface Place {
  readonly at: number;
  readonly version: string;
}
type Assignments = ReadonlyMap<string, readonly Place[]>;

/** The variables of a script that a version is assigned to. The script is searched once, when one is used. */
export class VersionVariables {
  readonly #text: string;
  #versions: Assignments | undefined;
  #revisions: Assignments | undefined;

  #modules: readonly RegExpExecArray[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The version that was assigned to a variable last, before a place. */
  before(variable: string, end: number): string | undefined {
    this.#versions ??= this.#search(version => version.includes('.'));
    return lastBefore(this.#versions.get(variable) ?? [], end);
  }

  /** The same for a revision, a number of two or three digits. */
  revisionBefore(variable: string, end: number): string | undefined {
    this.#revisions ??= this.#search(version => /^\d{2,3}$/.test(version));
    return lastBefore(this.#revisions.get(variable) ?? [], end);
  }

  /** The version in a module of webpack; undefined if several have the same number or, in lists of modules, the same name. */
  inModule(module: string, key: string): string | undefined {
    this.#modules ??= [...this.#text.matchAll(exported)];
    const own = this.#modules.filter(match => match[1] === module && match[2] === key);
    if (own.length > 0) return own.length === 1 ? own[0]![3] : undefined;
    const listed = [...this.#text.matchAll(exportedInList)].filter(match => match[1] === key);
    return listed.length === 1 ? listed[0]![2] : undefined;
  }

  #search(isWanted: (version: string) => boolean): Assignments {
    const places = new Map<string, { at: number; version: string }[]>();
    for (const { index, 1: variable = '', 2: version = '' } of this.#text.matchAll(assignment)) {
      if (!isWanted(version)) continue;
      const list = places.get(variable) ?? [];
      list.push({ at: index, version });
      places.set(variable, list);
    }
    return places;
  }
}

function lastBefore(places: readonly Place[], end: number): string | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]!.at < end) low = middle + 1;
    else high = middle;
  }
  const last = places[low - 1];
  return last === undefined || end - last.at > farthest ? undefined : last.version;
}
