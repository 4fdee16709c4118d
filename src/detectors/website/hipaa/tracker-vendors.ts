/** A vendor that learns of visits through content that pages load from it. */
export interface TrackerVendor {
  /** Part of a locator: never changed. */
  readonly key: string;
  readonly name: string;
  readonly kind: 'tracker' | 'replay';
  /**
   * URLs that load the tracker or report to it: a host with its subdomains, with a path, or a folder ending
   * in a slash, if the host also serves other content. Source: the vendors' installation guides.
   */
  readonly places: readonly string[];
  /** Code that only this vendor's snippet contains, without whitespace and with single quotes. */
  readonly snippets: readonly string[];
}

const tracker = (key: string, name: string, places: string[], snippets: string[] = []): TrackerVendor => ({
  key,
  name,
  kind: 'tracker',
  places,
  snippets,
});
const replay = (key: string, name: string, places: string[], snippets: string[] = []): TrackerVendor => ({
  key,
  name,
  kind: 'replay',
  places,
  snippets,
});

/**
 * Left out because they are not trackers by themselves: fonts, maps, captchas, videos, error reports, and
 * analytics that are self-hosted or do not identify visitors.
 */
export const trackerVendors: readonly TrackerVendor[] = [
  tracker(
    'meta',
    'Meta Pixel',
    ['connect.facebook.net/signals/', 'facebook.com/tr'],
    ["fbq('init'", 'connect.facebook.net/en_US/fbevents.js'],
  ),
  tracker(
    'google',
    'Google (Analytics, Ads or Tag Manager)',
    [
      'google-analytics.com',
      'googletagmanager.com',
      'analytics.google.com',
      'googleadservices.com',
      'googlesyndication.com',
      'doubleclick.net',
      'google.com/pagead/',
      'google.com/ads/',
      'google.com/ccm/',
    ],
    [
      "gtag('config','",
      "'gtm.start':newDate",
      "'gtm.start':(newDate",
      'googletagmanager.com/gtm.js?id=',
      'googletagmanager.com/gtag/js?id=',
      'google-analytics.com/analytics.js',
      'google-analytics.com/ga.js',
      "_gaq.push(['_setAccount'",
    ],
  ),
  tracker(
    'tiktok',
    'TikTok Pixel',
    ['analytics.tiktok.com', 'analytics-ipv6.tiktokw.us'],
    ['analytics.tiktok.com/i18n/pixel/events.js', "ttq.load('"],
  ),
  tracker(
    'linkedin',
    'LinkedIn Insight Tag',
    ['snap.licdn.com/li.lms-analytics/', 'px.ads.linkedin.com', 'dc.ads.linkedin.com'],
    ['_linkedin_partner_id=', 'snap.licdn.com/li.lms-analytics/insight.min.js'],
  ),
  tracker('bing', 'Microsoft Advertising (UET)', ['bat.bing.com', 'bat.bing.net'], ['bat.bing.com/bat.js']),
  tracker(
    'x',
    'X (Twitter) Pixel',
    ['ads-twitter.com', 'analytics.twitter.com', 'ads-api.x.com', 't.co/i/adsct', 't.co/1/i/adsct'],
    ["twq('init'", "twq('config'", 'static.ads-twitter.com/uwt.js'],
  ),
  tracker(
    'pinterest',
    'Pinterest Tag',
    ['ct.pinterest.com', 's.pinimg.com/ct/'],
    ["pintrk('load'", 's.pinimg.com/ct/core.js'],
  ),
  tracker(
    'snapchat',
    'Snap Pixel',
    ['sc-static.net/scevent.min.js', 'tr.snapchat.com'],
    ["snaptr('init'", 'sc-static.net/scevent.min.js'],
  ),
  tracker(
    'reddit',
    'Reddit Pixel',
    ['redditstatic.com/ads/', 'alb.reddit.com', 'pixel-config.reddit.com'],
    ["rdt('init'", 'redditstatic.com/ads/pixel.js'],
  ),
  tracker('adobe', 'Adobe Analytics or Experience Cloud', [
    'omtrdc.net',
    '2o7.net',
    'demdex.net',
    'assets.adobedtm.com',
    'adobedc.net',
    'everesttech.net',
  ]),
  tracker('yahoo', 'Yahoo Dot', ['s.yimg.com/wi/ytc.js', 'sp.analytics.yahoo.com'], ['s.yimg.com/wi/ytc.js']),
  tracker('amazon', 'Amazon Ads', ['amazon-adsystem.com']),
  tracker('criteo', 'Criteo', ['criteo.com', 'criteo.net'], ['criteo.net/js/ld/ld.js']),
  tracker(
    'taboola',
    'Taboola Pixel',
    ['cdn.taboola.com', 'trc.taboola.com'],
    ['cdn.taboola.com/libtrc/unip/'],
  ),
  tracker(
    'outbrain',
    'Outbrain Pixel',
    ['amplify.outbrain.com', 'tr.outbrain.com'],
    ['amplify.outbrain.com/cp/obtp.js'],
  ),
  tracker(
    'quora',
    'Quora Pixel',
    ['a.quora.com/qevents.js', 'q.quora.com/_/ad/'],
    ['a.quora.com/qevents.js'],
  ),
  tracker('tradedesk', 'The Trade Desk', ['adsrvr.org']),
  tracker('quantcast', 'Quantcast', ['quantserve.com', 'quantcount.com']),
  tracker('comscore', 'Comscore', ['scorecardresearch.com']),
  tracker('hubspot', 'HubSpot tracking code', [
    'hs-analytics.net',
    'hs-scripts.com',
    'track.hubspot.com',
    'hsadspixel.net',
  ]),
  tracker('segment', 'Segment', ['cdn.segment.com', 'api.segment.io'], ['cdn.segment.com/analytics.js/v1/']),
  tracker(
    'mixpanel',
    'Mixpanel',
    ['mxpnl.com', 'api-js.mixpanel.com'],
    ['cdn.mxpnl.com/libs/mixpanel', "mixpanel.init('"],
  ),
  tracker(
    'amplitude',
    'Amplitude',
    ['amplitude.com'],
    ['cdn.amplitude.com/libs/amplitude', "amplitude.init('", "amplitude.getInstance().init('"],
  ),
  tracker(
    'posthog',
    'PostHog',
    ['i.posthog.com', 'app.posthog.com', 'eu.posthog.com', 'us.posthog.com'],
    ["posthog.init('phc_"],
  ),
  // Common on sites of clinics: call tracking, neighborhoods and health advertising.
  tracker('callrail', 'CallRail', ['cdn.callrail.com', 'js.callrail.com'], ['cdn.callrail.com/companies/']),
  tracker(
    'nextdoor',
    'Nextdoor Pixel',
    ['ads.nextdoor.com'],
    ["ndp('init'", 'ads.nextdoor.com/public/pixel'],
  ),
  tracker('simplifi', 'Simpli.fi', ['simpli.fi'], ['tag.simpli.fi/sifitag/']),
  tracker('stackadapt', 'StackAdapt', ['srv.stackadapt.com'], ['tags.srv.stackadapt.com/events.js']),
  tracker('deepintent', 'DeepIntent', ['deepintent.com']),
  tracker('crossix', 'Veeva Crossix', ['crossix.com']),
  tracker('pulsepoint', 'PulsePoint', ['contextweb.com']),
  tracker('adroll', 'AdRoll', ['adroll.com'], ['s.adroll.com/j/', 'adroll_adv_id=']),
  tracker('liveramp', 'LiveRamp', ['rlcdn.com']),
  tracker('xandr', 'Microsoft Xandr', ['adnxs.com']),
  tracker('mediamath', 'MediaMath', ['mathtag.com']),
  tracker('lotame', 'Lotame', ['crwdcntrl.net']),
  tracker('bluekai', 'Oracle BlueKai', ['bluekai.com']),
  tracker('sharethis', 'ShareThis', ['sharethis.com']),
  tracker('spotify', 'Spotify Pixel', ['pixel.byspotify.com'], ['pixel.byspotify.com/ping.min.js']),
  tracker('marketo', 'Marketo Munchkin', ['munchkin.marketo.net'], ["Munchkin.init('"]),
  tracker(
    'pardot',
    'Salesforce Account Engagement (Pardot)',
    ['pi.pardot.com'],
    ['pi.pardot.com/pd.js', 'piAId='],
  ),
  tracker('activecampaign', 'ActiveCampaign', ['trackcmp.net'], ['diffuser-cdn.app-us1.com/diffuser/']),
  tracker('klaviyo', 'Klaviyo', ['static.klaviyo.com', 'static-tracking.klaviyo.com']),
  tracker('zoominfo', 'ZoomInfo', ['ws.zoominfo.com'], ['ws.zoominfo.com/pixel/']),
  tracker(
    'pendo',
    'Pendo',
    ['cdn.pendo.io', 'app.pendo.io'],
    ['cdn.pendo.io/agent/static/', 'pendo.initialize({'],
  ),
  tracker('rudderstack', 'RudderStack', ['rudderlabs.com', 'rudderstack.com'], ["rudderanalytics.load('"]),
  tracker('optimizely', 'Optimizely', ['cdn.optimizely.com', 'logx.optimizely.com']),
  tracker('tealium', 'Tealium iQ', ['tags.tiqcdn.com'], ['tags.tiqcdn.com/utag/']),
  tracker(
    'chartbeat',
    'Chartbeat',
    ['chartbeat.com', 'chartbeat.net'],
    ['static.chartbeat.com/js/chartbeat'],
  ),
  tracker('statcounter', 'StatCounter', ['statcounter.com'], ['sc_project=']),
  tracker('clicky', 'Clicky', ['getclicky.com'], ['clicky_site_ids']),
  tracker('etracker', 'etracker', ['etracker.com', 'etracker.de'], ['code.etracker.com/code/e.js']),
  tracker('piano', 'Piano Analytics (AT Internet)', ['xiti.com', 'aticdn.net'], ['tag.aticdn.net/']),
  tracker('mapp', 'Mapp Intelligence (Webtrekk)', ['webtrekk.net', 'wt-eu02.net', 'mateti.net']),
  tracker('ivw', 'INFOnline (IVW)', ['ioam.de', 'iocnt.net']),
  tracker('yandex', 'Yandex Metrica', ['mc.yandex.ru', 'mc.yandex.com'], ['mc.yandex.ru/metrika/']),
  tracker('baidu', 'Baidu Tongji', ['hm.baidu.com'], ['hm.baidu.com/hm.js?']),
  replay(
    'hotjar',
    'Hotjar',
    ['static.hotjar.com', 'script.hotjar.com'],
    ['static.hotjar.com/c/hotjar-', '_hjSettings={hjid:'],
  ),
  replay(
    'fullstory',
    'FullStory',
    ['edge.fullstory.com', 'rs.fullstory.com', 'fullstory.com/s/'],
    ["['_fs_org']=", 'edge.fullstory.com/s/fs.js'],
  ),
  replay(
    'logrocket',
    'LogRocket',
    [
      'cdn.logrocket.io',
      'cdn.logrocket.com',
      'lr-in.com',
      'lr-ingest.io',
      'lr-ingest.com',
      'lr-in-prod.com',
      'lr-intake.com',
    ],
    ["LogRocket.init('"],
  ),
  replay('clarity', 'Microsoft Clarity', ['clarity.ms'], ['www.clarity.ms/tag/']),
  replay('mouseflow', 'Mouseflow', ['mouseflow.com/projects/'], ['cdn.mouseflow.com/projects/']),
  replay(
    'smartlook',
    'Smartlook',
    ['rec.smartlook.com', 'web-sdk.smartlook.com'],
    ["smartlook('init'", 'smartlook.com/recorder.js'],
  ),
  replay('quantummetric', 'Quantum Metric', ['cdn.quantummetric.com'], ['cdn.quantummetric.com/qscripts/']),
  replay('contentsquare', 'Contentsquare', ['contentsquare.net'], ['t.contentsquare.net/uxa/']),
  replay(
    'heap',
    'Heap',
    ['heapanalytics.com', 'heap-api.com'],
    ["heap.load('", 'cdn.heapanalytics.com/js/heap-'],
  ),
  replay('crazyegg', 'Crazy Egg', ['script.crazyegg.com'], ['script.crazyegg.com/pages/scripts/']),
  replay('luckyorange', 'Lucky Orange', ['tools.luckyorange.com'], ['tools.luckyorange.com/core/lo.js']),
  replay('inspectlet', 'Inspectlet', ['cdn.inspectlet.com'], ['cdn.inspectlet.com/inspectlet.js']),
  replay('glassbox', 'Glassbox', ['glassboxdigital.io', 'glassboxcdn.com']),
  replay('decibel', 'Medallia (Decibel)', ['decibelinsight.net'], ['cdn.decibelinsight.net/i/']),
  replay('vwo', 'VWO', ['visualwebsiteoptimizer.com'], ['dev.visualwebsiteoptimizer.com/', '_vwo_code=']),
  replay(
    'datadog',
    'Datadog Session Replay',
    [],
    ['DD_RUM.startSessionReplayRecording(', 'datadogRum.startSessionReplayRecording('],
  ),
  replay('sentry', 'Sentry Session Replay', ['browser.sentry-cdn.com'], ['Sentry.replayIntegration(']),
];
