import { products } from './product.ts';

const high = { severity: 'high' } as const;

/** Tools for development: they show requests, settings and source code, or run code. */
export const debuggers = products('debugger', [
  [
    'Werkzeug’s console, which runs code',
    ['EVALEX', /<title>(?:Interactive )?Console \/\/ Werkzeug Debugger|CONSOLE_MODE = true/],
    { severity: 'high' },
  ],
  ['the Symfony profiler', ['Symfony Profiler', /<title>[^<]{0,40}Symfony Profiler/], high],
  ['Symfony’s debug toolbar', ['sfwdt', /Sfjs\.loadToolbar|id="sfwdt[0-9a-f]{6}/]],
  ['Laravel Telescope', ['Telescope', /<title>Telescope|window\.Telescope\s{0,2}=/], high],
  ['Laravel’s debug bar', ['phpdebugbar', /PhpDebugBar\.DebugBar|"__meta":\{"id":/]],
  ['a debug bar with recent requests', ['"__meta":{"id":', '"datetime":'], high],
  ['Clockwork, with recent requests', ['"controller":', '"responseDuration":', '"databaseQueries":'], high],
  ['Laravel’s Ignition, which may run commands', ['"can_execute_commands":true'], high],
  ['the Django debug toolbar', ['id="djDebug"']],
  ['Django Silk, without a login', ['<title>Silky']],
  [
    'the properties of a Rails application',
    ['Rails version', /<td class="name">(?:Rails version|Environment)<\/td>/],
  ],
  ['the routes of a Rails application', ['Routes match in priority from top to bottom']],
  ['Go’s profiler', ['/debug/pprof/', /Types of profiles available|<title>\/debug\/pprof\/<\/title>/], high],
  [
    'ASP.NET’s request trace',
    ['Application Trace', /<title>[^<]{0,20}(?:Trace)?|Physical Directory:/, /Requests to this Application/i],
    high,
  ],
  ['ELMAH’s error log', ['Error log for', /ELMAH|elmah/], high],
  ['the developer tools of Vite', ['[vite] ', /\[vite\] connect|HMRContext|vite-error-overlay/]],
  [
    'a page of Vite’s development server',
    ['/@vite/client', /<script type="module"[^>]{0,40}src="\/@vite\/client"/],
  ],
  [
    'webpack’s development server',
    [
      'webpack-dev-server',
      /<title>webpack[- ]dev[- ]server|webpack-dev-server\/client\/|\(webpack\)-dev-server/i,
    ],
  ],
  ['a list of files of webpack’s development server', ['<h1>Assets Report:</h1>', 'Compilation:']],
  ['a page of live-server', ['<!-- Code injected by live-server -->']],
  ['a page of Browsersync', ['__bs_script__', 'browser-sync-client.js']],
  ['json-server, in which anyone can change data', ['<title>JSON Server</title>'], high],
  ['a bundle of webpack’s development server', ['__webpack_require__.hmrM', 'webpackHotUpdate']],
  ['a page of Next.js in development', ['"buildId":"development"']],
  ['a page of Nuxt in development', ['/_nuxt/@vite/client']],
  ['Yii’s debugger', ['Yii Debugger']],
  ['Yii’s debug toolbar', ['id="yii-debug-toolbar"']],
  ['Yii’s code generator', ['Gii, a code generator'], high],
  ['CakePHP’s DebugKit', ['debug_kit', /id="debug-kit|data-full-url="[^"]{0,200}debug[-_]kit/i]],
  ['the Flask debug toolbar', ['id="flDebug"']],
  ['MiniProfiler’s results', ['MiniProfiler', /<title>(?:List of profiling sessions|MiniProfiler)/i]],
  ['Glimpse’s configuration', ['Glimpse', /<title>Glimpse/], high],
  ['Quarkus’ development console', ['Quarkus', /<title>[^<]{0,20}(?:Dev UI|Quarkus Dev)/]],
  [
    'the development error page of the Play framework',
    ['Action not found', /<title>Action not found|For request 'GET/],
  ],
  [
    'GraphiQL',
    ['<title>', /<title>[^<]{0,40}GraphiQL[^<]{0,20}<\/title>|GraphiQL\.createFetcher|graphiql\.min\.js/i],
    { severity: 'info' },
  ],
  [
    'GraphQL Playground',
    ['GraphQL Playground', /<title>[^<]{0,20}GraphQL Playground|GraphQLPlayground\.init/],
    { severity: 'info' },
  ],
  ['Apollo’s sandbox', ['embeddable-sandbox', 'EmbeddedSandbox'], { severity: 'info' }],
  [
    'GraphQL Voyager or Altair',
    ['<title>', /<title>(?:GraphQL Voyager|Altair)<\/title>/],
    { severity: 'info' },
  ],
  [
    'a Node.js or Chrome debugger',
    ['"webSocketDebuggerUrl":', '"devtoolsFrontendUrl":'],
    { severity: 'critical' },
  ],
  ['Micronaut’s or Spring’s list of beans', ['"beans":{', /"(?:scope|type)":"[\w.$]{3,200}"/]],
  [
    'Storybook, in which components are developed',
    ['<title>', /<title>(?:[^<]{0,40} )?Storybook<\/title>|window\['__STORYBOOK|__STORYBOOK_/],
    { severity: 'info' },
  ],
  ['CodeIgniter’s debug toolbar', ['debugbar_loader', /[Cc]ode[Ii]gniter|debugbar/]],
  [
    'a web shell',
    ['<title>', /<title>(?:b374k|r57shell|c99shell|WSO \d|[^<]{0,20} - WSO \d)[^<]{0,40}<\/title>/i],
    { severity: 'critical' },
  ],
  ['Phoenix’s LiveDashboard', ['Phoenix LiveDashboard'], high],
  [
    'the routes of a Phoenix application',
    ['Phoenix', /<title>NoRouteError at|Phoenix\.Router\.NoRouteError/],
  ],
  ['Parse Dashboard', ['<title>Parse Dashboard'], high],
  ['the emulator suite of Firebase', ['<title>Firebase Emulator Suite'], high],
  [
    'a mail catcher with messages of the application',
    ['<title>', /<title>(?:MailHog|MailCatcher(?: \(\d+\))?|Mailpit|MailDev|smtp4dev|Inbucket)/],
    high,
  ],
  ['LocalStack', ['"services": {', /"edition": "(?:community|pro)"/], high],
  ['a Wiremock administration', ['"mappings"', /"__admin"|"requestJournalDisabled"/], high],
]);
