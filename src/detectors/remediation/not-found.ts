import { beforeRoutes } from './headers.ts';
import type { Step } from './step.ts';

/**
 * Returns 404 for paths in common servers.
 *
 * @param pattern matches the paths; a regular expression without braces, lookarounds or spaces, which all
 * servers support
 * @param matcher the name of the matcher in Caddy
 */
export function notFound(pattern: string, matcher: string, note?: string): Step[] {
  const steps: Step[] = [
    { place: 'nginx.server', code: `location ~* ${pattern} {\n  return 404;\n}` },
    { place: 'apache.host', code: `RedirectMatch 404 "(?i)${pattern}"` },
    { place: 'caddy.site', code: `@${matcher} path_regexp (?i)${pattern}\nrespond @${matcher} 404` },
    {
      place: 'express.app',
      code: beforeRoutes(
        `if (/${pattern.replaceAll('/', '\\/')}/i.test(req.path)) return res.sendStatus(404);`,
      ),
    },
  ];
  return note === undefined ? steps : steps.map(step => ({ ...step, note }));
}

/** The same for files and folders whose name starts with a dot, except `/.well-known/`. */
export const hideDotFiles: readonly Step[] = [
  { place: 'nginx.server', code: 'location ~ /\\.(?!well-known/) {\n  return 404;\n}' },
  { place: 'apache.host', code: 'RedirectMatch 404 "/\\.(?!well-known/)"' },
  {
    place: 'caddy.site',
    code: ['@dotfiles {', '  path */.*', '  not path /.well-known/*', '}', 'respond @dotfiles 404'].join(
      '\n',
    ),
  },
  {
    place: 'express.app',
    code: [
      "app.use('/.well-known', express.static('public/.well-known'));",
      "app.use(express.static('public', { dotfiles: 'ignore' }));",
    ].join('\n'),
    replace: { public: 'the folder of public files' },
    note: 'Replaces the existing `express.static`.',
  },
  {
    place: 'lighttpd.file',
    code: [
      'server.modules += ( "mod_access" )',
      '$HTTP["url"] =~ "/\\.(?!well-known/)" {',
      '  url.access-deny = ( "" )',
      '}',
    ].join('\n'),
  },
  {
    place: 'iis.web-config',
    code: [
      '<system.webServer>',
      '  <security>',
      '    <requestFiltering>',
      '      <hiddenSegments>',
      ...['.git', '.svn', '.hg', '.env', '.aws', '.npmrc', '.htpasswd', '.DS_Store'].map(
        name => `        <add segment="${name}" />`,
      ),
      '      </hiddenSegments>',
      '    </requestFiltering>',
      '  </security>',
      '</system.webServer>',
    ].join('\n'),
  },
];
