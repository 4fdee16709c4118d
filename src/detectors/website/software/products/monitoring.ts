import { products, titled } from './product.ts';

const low = { severity: 'low' } as const;
const login = { severity: 'low', requiresLogin: true } as const;

/** Figures of servers and applications, and the programs that collect and show them. */
export const monitoring = products('metrics', [
  [
    'a list of metrics for Prometheus',
    [
      '# TYPE ',
      /^# TYPE [a-zA-Z_:][\w:]{1,120} (?:counter|gauge|histogram|summary|untyped)$/m,
      /^[a-zA-Z_:][\w:]{1,120}(?:\{[^\n{}]{0,500}\})? [\d.eE+NaInf-]{1,30}$/m,
    ],
    low,
  ],
  ['Prometheus, without a login', ['<title>Prometheus Time Series Collection and Processing Server']],
  ['Prometheus, without a login', ['GLOBAL_CONSOLES_LINK', /<title>(?:TITLE_PLACEHOLDER|Prometheus)/]],
  ['Alertmanager, without a login', titled('Alertmanager')],
  ['a Prometheus exporter', ['Exporter</title>', /href="[^"]{0,40}metrics"/], low],
  ['Thanos or Mimir, without a login', ['<title>', /<title>(?:Thanos|Grafana Mimir|Cortex)/]],
  [
    'Grafana, without a login',
    ['grafanaBootData', /"isSignedIn":(?:true|false),/, /"orgRole":"(?:Viewer|Editor|Admin)"/],
  ],
  [
    'the login page of Grafana',
    ['grafanaBootData'],
    { ...login, without: [/"orgRole":"(?:Viewer|Editor|Admin)"/] },
  ],
  [
    'Netdata, without a login',
    ['netdata', /<title>(?:netdata|Netdata)[^<]{0,40}(?:dashboard|Agent|Console)/i],
  ],
  ['Munin, without a login', ['<title>Munin :: overview']],
  ['Nagios, without a login', ['<title>', /<title>Nagios (?:Core|XI)?[^<]{0,40}<\/title>/]],
  ['the login page of Zabbix', ['zabbix', /<title>[^<]{0,60}Zabbix<\/title>/, 'name="password"'], login],
  ['the login page of Cacti', ['<title>Login to Cacti'], login],
  ['Monit, without a login', ['<title>Monit: ']],
  ['Glances, without a login', titled('Glances')],
  ['cAdvisor, without a login', ['<title>cAdvisor']],
  ['Jaeger, without a login', ['<title>Jaeger UI']],
  ['Zipkin, without a login', titled('Zipkin')],
  ['Kiali', titled('Kiali'), login],
  ['JavaMelody, without a login', ['JavaMelody', /<title>[^<]{0,80}Monitoring|Statistics of JavaMelody/i]],
  ['Druid’s database monitor, without a login', ['<title>Druid Stat Index']],
  ['Hystrix, without a login', ['<title>Hystrix']],
  ['a GoAccess report', ['goaccess', /<title>[^<]{0,40}Server[^<]{0,4}(?:Statistics|Report)/i]],
  [
    'AWStats, without a login',
    [
      'AWStats',
      /<title>Statistics for [^<]{1,200}\(\d{4}-\d\d\)|content="AWStats [^"]{1,80} from config file/,
    ],
  ],
  ['Webalizer’s statistics', ['Usage Statistics for', /Webalizer/i], low],
  ['Icinga Web', ['Icinga Web', /<title>[^<]{0,40}Icinga Web/], login],
  ['Go’s exported variables', ['"cmdline":', '"memstats":'], { severity: 'medium' }],
  ['Varnish’s or Squid’s statistics', ['Cache Manager menu']],
  ['the monitor of an Express application', ['<title>Express Status</title>']],
  ['Swagger Stats', ['<title>Swagger Stats</title>']],
  ['uWSGI’s statistics', ['"listen_queue":', '"workers":[']],
  ['PHP-FPM’s status', ['accepted conn:', 'process manager:']],
  ['Uptime Kuma', titled('Uptime Kuma'), login],
  ['Graphite, without a login', ['<title>Graphite Browser']],
  ['Sentry', ['<title>Login | Sentry'], login],
  ['a phpSysInfo page', ['phpSysInfo', /<title>phpSysInfo/]],
  ['a Linux Dash page', ['<title>Linux Dash']],
]);
