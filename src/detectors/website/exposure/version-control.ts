/** Files of working copies and repositories, by path and format. */
const files: readonly {
  readonly path: RegExp;
  readonly content: RegExp;
  readonly sentence: string;
}[] = [
  {
    path: /\.git\/logs\/HEAD$/,
    content: /^[0-9a-f]{40} [0-9a-f]{40} [^\n]{1,200}> \d{9,11} /,
    sentence: 'It is the history of a Git repository’s current branch.',
  },
  {
    path: /\/HEAD$/,
    content: /^(?:ref: refs\/|[0-9a-f]{40}\s{0,2}$)/,
    sentence: 'It contains the current branch or commit of a Git repository.',
  },
  {
    path: /\/config$/,
    content: /^[ \t]{0,20}\[core\]/im,
    sentence: 'It is the configuration of a Git repository.',
  },
  {
    path: /\.git\/index$/,
    content: /^DIRC\0\0\0[\x02-\x04]/,
    sentence: 'It is the list of files of a Git repository.',
  },
  {
    path: /\.git\/packed-refs$/,
    content: /^# pack-refs |^[0-9a-f]{40} refs\//,
    sentence: 'It lists the branches of a Git repository.',
  },
  {
    path: /\/entries$/,
    content: /^(?:8|9|10|11|12)\n/,
    sentence: 'It is an index of a Subversion working copy.',
  },
  {
    path: /\/wc\.db$/,
    content: /^SQLite format 3\0/,
    sentence: 'It is the database of a Subversion working copy.',
  },
  {
    path: /\.hg\//,
    content: /^(?:revlogv1|dotencode|fncache|store|generaldelta|share-safe)\b|^\[(?:paths|ui)\]/m,
    sentence: 'It describes a Mercurial repository.',
  },
  {
    path: /\.bzr\/(?:README|branch-format)$/,
    content: /^Bazaar|^This is a Bazaar control directory/,
    sentence: 'It describes a Bazaar branch.',
  },
];

/** What a file shows of a repository, as a sentence; null if nothing. @param path as requested */
export function versionControl(body: string, path: string): string | null {
  const file = files.find(one => one.path.test(path) && one.content.test(body));
  return file?.sentence ?? null;
}

/** The folder of a repository, up to which all its files are one finding. */
export const repositoryOf = (path: string): string =>
  /^.{0,4000}\/\.(?:git|svn|hg|bzr)\//.exec(path)?.[0] ?? path.slice(0, path.lastIndexOf('/') + 1);

export const isSqlite = (body: string): boolean => body.startsWith('SQLite format 3\0');
