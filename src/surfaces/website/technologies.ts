import { type Technology, technologies } from '../../captures/technologies.ts';
import type { HttpResponse } from '../../captures/website.ts';

/** What shows a technology: patterns of header lines, which are lowercase up to the colon, and texts of a body. */
interface Marks {
  readonly headers?: RegExp;
  readonly body?: readonly string[];
}

/** From the products' own documentation and default pages. */
const marks: Partial<Record<Technology, Marks>> = {
  apache: { headers: /^server: apache/im, body: ['<address>Apache'] },
  caddy: { headers: /^server: caddy/im },
  django: {
    headers: /^set-cookie: (?:csrftoken|django)/im,
    body: ['name="csrfmiddlewaretoken"', '<code>DEBUG = True</code>', "name='csrfmiddlewaretoken'"],
  },
  dokuwiki: { headers: /^set-cookie: dokuwiki/im, body: ['lib/exe/css.php', 'content="DokuWiki'] },
  dotnet: {
    headers:
      /^(?:x-aspnet|x-aspnetmvc)[\w-]*:|^x-powered-by: asp\.net|^server: kestrel|^set-cookie: (?:asp\.net|\.aspnetcore)/im,
    body: ['name="__VIEWSTATE"', 'name="__RequestVerificationToken"', '.aspx"', '_blazor'],
  },
  drupal: {
    headers: /^x-drupal-|^x-generator: drupal/im,
    body: ['content="Drupal ', 'data-drupal-', '/sites/default/files/', 'Drupal.settings'],
  },
  elasticsearch: { headers: /^x-elastic-product:/im, body: ['You Know, for Search'] },
  express: { headers: /^x-powered-by: express|^set-cookie: connect\.sid/im, body: ['<pre>Cannot GET /'] },
  ghost: { headers: /^x-ghost-/im, body: ['content="Ghost ', '/ghost/api/'] },
  gitea: {
    headers: /^set-cookie: (?:i_like_gitea|i_like_forgejo|_csrf_gitea)/im,
    body: [
      'Powered by Gitea',
      'content="Gitea',
      'window.config = {\n\t\tappUrl',
      'Gitea: Git with a cup of tea',
    ],
  },
  go: { body: ['404 page not found'] },
  grafana: { headers: /^set-cookie: grafana_session/im, body: ['grafanaBootData'] },
  haproxy: { headers: /^server: haproxy/im },
  iis: { headers: /^server: microsoft-iis/im },
  java: {
    headers:
      /^set-cookie: jsessionid|^server: (?:jetty|glassfish|undertow|wildfly|jboss|weblogic|websphere)|^x-powered-by: (?:servlet|jsp|jsf|undertow)/im,
    body: [';jsessionid=', '.jsp"', '.do"', '.xhtml"', 'javax.faces.ViewState'],
  },
  influxdb: { headers: /^x-influxdb-/im },
  jenkins: { headers: /^x-jenkins/im },
  joomla: {
    headers: /^x-content-encoded-by: joomla/im,
    body: ['content="Joomla', '/media/system/js/', 'option=com_'],
  },
  laravel: {
    headers: /^set-cookie: (?:laravel_session|xsrf-token)/im,
    body: ['window.Laravel', 'laravel-echo'],
  },
  lighttpd: { headers: /^server: lighttpd/im },
  magento: { headers: /^x-magento-/im, body: ['Mage.Cookies', 'text/x-magento-init', '/static/frontend/'] },
  mediawiki: { body: ['content="MediaWiki', 'mw.config', 'wgPageName', '/load.php?'] },
  moodle: { headers: /^set-cookie: moodlesession/im, body: ['content="moodle', 'M.cfg = {'] },
  nextcloud: { body: ['data-requesttoken=', 'oc_appswebroots', 'Nextcloud'] },
  nextjs: { headers: /^x-powered-by: next\.js|^x-nextjs-/im, body: ['id="__NEXT_DATA__"', '/_next/static/'] },
  nginx: { headers: /^server: (?:nginx|openresty|tengine)/im, body: ['<center>nginx'] },
  node: { body: ['/_nuxt/', 'id="__NUXT'] },
  php: {
    headers: /^x-powered-by: php|^set-cookie: phpsessid|^server: .*\bphp\//im,
    body: ['.php"', '.php?', ".php'"],
  },
  prestashop: {
    headers: /^set-cookie: prestashop-|^powered-by: prestashop/im,
    body: ['var prestashop', 'content="PrestaShop'],
  },
  prometheus: { body: ['<title>Prometheus'] },
  python: {
    headers:
      /^server: (?:gunicorn|werkzeug|uvicorn|waitress|cherrypy|tornado|wsgiserver|python|hypercorn|daphne|basehttp|simplehttp)/im,
    body: ['{"detail":"Not Found"}'],
  },
  rails: {
    headers: /^x-runtime: [\d.]+$/im,
    body: ['name="csrf-param"', 'data-turbo-track', '/rails/active_storage/'],
  },
  ruby: {
    headers:
      /^server: (?:puma|webrick|thin|unicorn|phusion passenger|passenger)|^x-powered-by: phusion|^set-cookie: (?:_session_id|rack\.session)/im,
  },
  spring: { body: ['Whitelabel Error Page'] },
  strapi: { headers: /^x-powered-by: strapi/im },
  symfony: { headers: /^x-debug-token|^set-cookie: sf_redirect/im, body: ['sfwdt', 'Symfony\\Component'] },
  tomcat: {
    headers: /^server: (?:apache-coyote|apache tomcat)/im,
    body: ['<h3>Apache Tomcat', 'Apache Tomcat/'],
  },
  traefik: { headers: /^server: traefik/im },
  typo3: { headers: /^set-cookie: fe_typo_user/im, body: ['content="TYPO3', '/typo3temp/', '/typo3conf/'] },
  vite: { body: ['/@vite/client', '/@react-refresh'] },
  wordpress: {
    headers: /^link: .*api\.w\.org|^x-pingback:/im,
    body: ['/wp-content/', '/wp-includes/', 'content="WordPress'],
  },
};

/** Spring’s own answer for a missing path, as JSON. */
const springError = /^\{"timestamp":"?[\d-]{10}[^{}]{0,60},"status":404,"error":"Not Found"/;

/** Characters of a body that are searched: marks are in its head, or it is short. */
const searched = 200_000;

/** The technologies that responses of a site show. */
export function technologiesOf(responses: readonly HttpResponse[]): ReadonlySet<Technology> {
  const shown = new Set<Technology>();
  for (const { headers, body } of responses) {
    const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
    const text = body.slice(0, searched);
    for (const technology of technologies) {
      const { headers: pattern, body: texts = [] } = marks[technology] ?? {};
      if (pattern?.test(lines) || texts.some(mark => text.includes(mark))) shown.add(technology);
    }
    if (springError.test(text)) shown.add('spring');
  }
  return shown;
}
