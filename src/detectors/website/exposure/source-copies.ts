import { secretFile } from './secret-files.ts';

/** The beginning of a file of vim that keeps unsaved text. */
const swapMark = 'b0VIM ';

/** Code that runs on servers, which a server that is set up never sends. */
const code: readonly (readonly [language: string, pattern: RegExp])[] = [
  ['PHP', /^\s{0,40}<\?(?:php\b|=)|<\?php\s/],
  ['ASP.NET', /<%@\s{0,4}(?:Page|Control|Master|WebHandler|Application|Import)\b/i],
  ['JSP', /<%@\s{0,4}(?:page|taglib|include)\b/],
  ['classic ASP', /<%\s{0,8}(?:Option Explicit|Dim |Response\.|Set \w|Server\.)/i],
  ['ColdFusion', /^\s{0,40}<cf(?:component|set|query|include|param|application)\b/i],
  ['Perl, Python, Ruby or shell', /^#!\s{0,4}\/[\w/]{2,40}(?:perl|python|ruby|sh|node)/],
  ['Python', /^(?:from [\w.]{1,60} import |import (?:os|sys|re|json|flask|django)\b)/m],
  [
    'Node.js',
    /\brequire\(['"](?:express|http|https|fs|path|koa|fastify|dotenv)['"]\)|^import \w{1,40} from ['"](?:express|node:\w{1,30}|koa|fastify)['"]/m,
  ],
  ['Ruby', /^(?:require ['"](?:sinatra|rails|bundler\/setup)['"]|Rails\.application)/m],
  ['Go', /^package main$/m],
  ['Java', /^(?:package [\w.]{3,120};|import java[\w.]{3,120};)/m],
  ['the configuration of IIS', /^\s{0,40}(?:<\?xml[^>]{0,100}>\s{0,20})?<configuration\b/],
];

/** Names that editors and people give to copies of a file. */
const copyName =
  /(?:~|\.(?:bak|bk|old|orig|save|sav|copy|tmp|backup|swp|swo|swn|un~|1|dist|txt)|_bak|_old|\.php_|#)$|%23$|copy%20of|%20copy/i;

/** Whether it has the name of a copy. @param path as requested, without its query */
export const isCopy = (path: string): boolean => copyName.test(path);

/** What source code a response contains, as a sentence; null if none. */
export function sourceCode(body: string, path: string): string | null {
  if (body.startsWith(swapMark))
    return 'It is a swap file of vim, with the text of the file that was edited.';
  const [language] = code.find(([, pattern]) => pattern.test(body)) ?? [];
  if (language === undefined) return null;
  const secret = secretFile(body, path);
  return `It contains source code (${language}).${secret === null ? '' : ` ${secret}`}`;
}
