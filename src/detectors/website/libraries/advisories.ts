// Made by maintenance/renew-advisories.ts: not for editing.
// Facts from Retire.js's repository (https://github.com/RetireJS/retire.js, Apache License 2.0, Erlend Oftedal and
// contributors), as released with @salesforce/code-analyzer-retirejs-engine 0.32.0 on 2026-07-18: versions, severities, ids.

/** When the newest advisory of the table was published (CVE-2025-13465). The release above may be later: it brought nothing newer. */
export const advisoriesDate = '2026-01-21';

/** By library: `from..below severity ids`, comma-separated; an empty bound is none, `-` an advisory without id. */
export const advisories: Readonly<Record<string, string>> = {
  alasql: '..0.7.0 high -',
  angularjs:
    '1.0.0..1.2.30 medium -, ..1.5.0-beta.1 medium CVE-2019-14863, 1.3.0..1.5.0-rc2 medium -, ..1.6.0 medium GHSA-28hp-fgcr-2r4h, ..1.6.3 medium -, ..1.6.5 low -, 1.5.0..1.6.9 low -, ..1.7.9 high CVE-2019-10768, ..1.8.0 medium GHSA-5cp4-xmrw-59wf, ..1.8.0 medium CVE-2020-7676, ..1.8.4 medium CVE-2023-26117, ..1.8.4 medium CVE-2023-26116, ..1.8.4 medium CVE-2022-25869, ..1.8.4 medium CVE-2023-26118, ..1.8.4 low CVE-2025-0716, ..1.8.4 low CVE-2024-8373, 1.3.0..1.8.4 high CVE-2024-21490, 1.3.0-rc.4..1.8.4 low CVE-2024-8372, 1.3.1..1.8.4 medium CVE-2025-2336, 1.7.0..1.8.8 medium CVE-2022-25844, ..1.9.8 medium CVE-2025-2336, ..1.9.9 medium CVE-2025-4690, 1.7.0.. medium CVE-2022-25844',
  axios:
    '..0.21.2 high CVE-2021-3749, 0.8.1..0.28.0 medium CVE-2023-45857, ..0.30.0 high CVE-2025-27152, 1.0.0..1.6.0 medium CVE-2023-45857, 1.0.0..1.8.2 high CVE-2025-27152',
  backbone: '..0.5.0 medium CVE-2016-10537, 0.3.3..0.5.0 medium CVE-2016-10537',
  bootstrap:
    '..2.1.0 medium -, ..3.4.0 medium CVE-2018-20676, ..3.4.0 medium CVE-2018-14042, ..3.4.0 medium CVE-2018-20677, ..3.4.0 medium CVE-2018-14041, 2.3.0..3.4.0 medium CVE-2018-14040, 2.3.0..3.4.0 medium CVE-2018-14042, 3.0.0..3.4.0 medium CVE-2016-10735, 1.4.0..3.4.1 medium CVE-2024-6485, 3.0.0..3.4.1 medium CVE-2019-8331, 1.4.0..3.4.2 medium CVE-2024-6485, 3.4.1..3.4.2 medium CVE-2025-1647, 4.0.0-beta..4.0.0-beta.2 medium CVE-2016-10735, 4.0.0..4.1.2 medium CVE-2018-14040, 4.0.0..4.1.2 medium CVE-2018-14042, 4.0.0..4.1.2 medium CVE-2018-14041, 4.0.0..4.3.1 medium CVE-2019-8331',
  'bootstrap-select': '..1.13.6 medium CVE-2019-20921, ..1.13.6 high CVE-2019-20921',
  chartjs: '..2.9.4 high CVE-2020-7746',
  ckeditor:
    '..4.4.3 medium -, ..4.4.6 medium -, ..4.4.8 medium -, ..4.5.11 medium -, 4.5.11..4.9.2 medium -, 4.0.0..4.11.0 medium CVE-2018-17960, ..4.14.0 low -, ..4.15.1 medium -, ..4.16.0 low -, ..4.16.2 low CVE-2021-32808, ..4.16.2 low CVE-2021-32809, ..4.16.2 medium CVE-2021-37695, ..4.17.0 medium CVE-2021-41164+CVE-2021-41165, ..4.18.0 low CVE-2022-24728, ..4.21.0 medium CVE-2023-28439',
  ckeditor5:
    '..10.0.1 low CVE-2018-11093, ..25.0.0 low CVE-2021-21254, ..27.0.0 low CVE-2021-21391, ..35.0.0 low CVE-2022-31175, 40.0.0..43.1.1 medium CVE-2024-45613, 44.2.0..45.2.2 low CVE-2025-58064, 46.0.0..46.0.3 low CVE-2025-58064',
  datatables:
    '..1.10.10 high CVE-2015-6584, ..1.10.22 high CVE-2020-28458, ..1.10.22 medium -, ..1.10.23 high -, ..1.11.3 low -, ..1.11.3 medium CVE-2021-23445',
  dojo: '0.4..0.4.4 medium CVE-2010-2273, 1.0..1.0.3 medium CVE-2010-2273, ..1.1.0 medium CVE-2008-6681, 1.1..1.1.2 medium CVE-2010-2273, ..1.2.0 medium CVE-2015-5654, 1.2..1.2.4 medium CVE-2010-2273, 1.3..1.3.3 medium CVE-2010-2273, ..1.4.2 medium CVE-2010-2275, 1.4..1.4.2 medium CVE-2010-2273, 1.10.0..1.10.10 medium CVE-2010-2273, 1.11.0..1.11.6 medium CVE-2010-2273, ..1.11.10 high CVE-2020-5258, 1.12.0..1.12.4 medium CVE-2010-2273, 1.12.0..1.12.8 high CVE-2020-5258, 1.13.0..1.13.1 medium CVE-2010-2273, 1.13.0..1.13.7 high CVE-2020-5258, ..1.14 high CVE-2018-15494, 1.14.0..1.14.6 high CVE-2020-5258, 1.15.0..1.15.3 high CVE-2020-5258, 1.16.0..1.16.2 high CVE-2020-5258, ..1.16.5 high CVE-2021-23450, ..1.17.0 high CVE-2021-23450',
  dompurify:
    '..0.6.1 medium -, ..0.8.6 medium -, ..0.8.9 low -, ..0.9.0 low -, ..1.0.11 medium CVE-2019-25155, ..2.0.3 medium CVE-2019-16728, ..2.0.7 high GHSA-mjjq-c88q-qhr6, ..2.0.16 low -, ..2.0.17 medium CVE-2020-26870, ..2.1.1 low -, ..2.2.0 low -, ..2.2.2 low -, ..2.2.3 low -, ..2.2.4 low -, ..2.4.2 high CVE-2024-48910, ..2.5.0 high CVE-2024-47875, ..2.5.4 high CVE-2024-45801, 3.0.0..3.1.3 high CVE-2024-47875, 3.0.0..3.1.3 high CVE-2024-45801, ..3.2.4 medium CVE-2025-26791',
  ember:
    '..0.9.7 high -, ..0.9.7.1 low -, 1.0.0-rc.1..1.0.0-rc.1.1 medium CVE-2013-4170, 1.0.0-rc.2..1.0.0-rc.2.1 medium CVE-2013-4170, 1.0.0-rc.3..1.0.0-rc.3.1 medium CVE-2013-4170, 1.0.0-rc.4..1.0.0-rc.4.1 medium CVE-2013-4170, 1.0.0-rc.5..1.0.0-rc.5.1 medium CVE-2013-4170, 1.0.0-rc.6..1.0.0-rc.6.1 medium CVE-2013-4170, 1.0.0..1.0.1 low CVE-2014-0013+CVE-2014-0014, 1.1.0..1.1.3 low CVE-2014-0013+CVE-2014-0014, 1.2.0..1.2.1 low CVE-2014-0013+CVE-2014-0014, 1.2.0..1.2.2 low CVE-2014-0046, 1.3.0..1.3.1 low CVE-2014-0013+CVE-2014-0014, 1.3.0..1.3.2 low CVE-2014-0046, 1.4.0..1.4.0-beta.2 low CVE-2014-0013+CVE-2014-0014, ..1.5.0 low CVE-2014-0046, 1.8.0..1.11.4 medium CVE-2015-7565, 1.12.0..1.12.2 medium CVE-2015-7565, 1.13.0..1.13.12 medium CVE-2015-7565, 2.0.0..2.0.3 medium CVE-2015-7565, 2.1.0..2.1.2 medium CVE-2015-7565, 2.2.0..2.2.1 medium CVE-2015-7565, ..3.24.7 high -, 3.25.0..3.28.10 high -, 4.0.0..4.4.4 high -, 4.5.0..4.8.1 high -, 4.9.0-alpha.1..4.9.0-beta.3 high -',
  extjs:
    '3.0.0..4.0.0 medium CVE-2010-4207+CVE-2012-5881, ..6.0.0 high CVE-2007-2285, 4.0.0..6.6.0 medium CVE-2018-8046',
  froala:
    '..3.2.2 medium -, ..3.2.3 medium CVE-2019-19935, ..3.2.7 high CVE-2021-28114, ..3.2.7 medium CVE-2021-30109, ..4.0.11 medium CVE-2020-22864, 4.0.1..4.1.4 medium CVE-2023-41592, ..4.3.1 medium CVE-2024-51434',
  handlebars:
    '..1.0.0.beta.3 medium -, ..3.0.7 high GHSA-q42p-pg8m-cqh6, ..3.0.8 high GHSA-2cf5-4w76-r9qv, ..3.0.8 high CVE-2019-20920, ..3.0.8 high GHSA-g9r4-xpmj-mj65, ..3.0.8 high GHSA-q2c6-c6pm-g3gh, ..3.0.8 high CVE-2019-19919, ..4.0.0 medium CVE-2015-8861, 4.0.0..4.0.13 high -, 4.0.0..4.0.14 high GHSA-q42p-pg8m-cqh6, 4.1.0..4.1.2 high GHSA-q42p-pg8m-cqh6, 4.0.0..4.3.0 high CVE-2019-19919, 4.0.0..4.4.5 high CVE-2019-20922, 4.0.0..4.4.5 medium GHSA-f52g-6jhx-586p, 4.0.0..4.5.2 high GHSA-2cf5-4w76-r9qv, 4.0.0..4.5.3 high CVE-2019-20920, 4.0.0..4.5.3 high GHSA-g9r4-xpmj-mj65, 4.0.0..4.5.3 high GHSA-q2c6-c6pm-g3gh, ..4.6.0 medium -, ..4.7.7 high CVE-2021-23383, ..4.7.7 high CVE-2021-23369',
  highcharts:
    '..6.1.0 high CVE-2018-20801, ..7.2.2 high GHSA-gr4j-r575-g665, 8.0.0..8.1.1 high GHSA-gr4j-r575-g665, ..9.0.0 high CVE-2021-29489',
  jquery:
    '..1.6.3 medium CVE-2011-4969, ..1.9.0b1 medium CVE-2012-6708, 1.2.1..1.9.0 medium CVE-2020-7656, 1.4.0..1.12.0 medium CVE-2015-9251, 1.8.0..2.2.0 medium -, 1.12.3..3.0.0-beta1 medium CVE-2015-9251, 2.2.2..3.0.0 medium -, 3.0.0-rc.1..3.0.0 high CVE-2016-10707, 1.1.4..3.4.0 medium CVE-2019-11358, 1.0.3..3.5.0 medium CVE-2020-11023, 1.2.0..3.5.0 medium CVE-2020-11022',
  'jquery-migrate': '..1.2.0 medium -, ..1.2.2 medium -',
  'jquery-mobile':
    '..1.0.1 high -, ..1.0RC2 high -, ..1.1.2 medium -, ..1.2.0 medium -, ..1.3.0 high -, .. high GHSA-fj93-7wm4-8x2g',
  'jquery-ui':
    '..1.13.0 medium CVE-2021-41182, ..1.13.0 medium CVE-2021-41184, ..1.13.0 medium CVE-2021-41183, ..1.13.2 medium CVE-2022-31160',
  'jquery-validation':
    '..1.19.3 high CVE-2021-21252, ..1.19.4 low CVE-2021-43306, ..1.19.5 high CVE-2022-31147, ..1.20.0 medium -, ..1.20.0 medium CVE-2025-3573',
  jszip: '..2.7.0 medium CVE-2021-23413, 3.0.0..3.7.0 medium CVE-2021-23413, ..3.8.0 medium CVE-2022-48285',
  knockout: '..3.5.0 medium CVE-2019-14862',
  lodash:
    '..4.17.5 medium CVE-2018-3721, ..4.17.11 high CVE-2018-16487, 4.7.0..4.17.11 medium CVE-2019-1010266, ..4.17.12 high CVE-2019-10744, 3.7.0..4.17.19 high CVE-2020-8203, ..4.17.21 high CVE-2021-23337, 4.0.0..4.17.21 medium CVE-2020-28500, 4.0.0..4.17.23 medium CVE-2025-13465',
  'markdown-it':
    '..3.0.0 high CVE-2015-10005, ..4.1.0 medium CVE-2015-3295, 4.0.0..4.3.1 medium -, ..10.0.0 medium -, ..12.3.2 medium CVE-2022-21670, ..13.0.2 medium -',
  mathjax: '..2.7.4 medium CVE-2018-1999024, ..2.7.10 high CVE-2023-39663',
  moment:
    '..2.11.2 medium CVE-2016-4055, ..2.15.2 medium -, ..2.19.3 high CVE-2017-18214, 2.18.0..2.29.4 high CVE-2022-31129',
  mustache: '..0.3.1 high -, ..2.2.1 high CVE-2015-8862',
  next: '1.0.0..2.4.1 high CVE-2017-16877, 1.0.0..4.2.3 high CVE-2018-6184, 0.9.9..5.1.0 high GHSA-5vj8-3v2h-h38v, 7.0.0..7.0.2 medium CVE-2018-18282, 0.9.9..9.3.2 medium CVE-2020-5284, 9.5.0..9.5.4 medium CVE-2020-15242, 0.9.9..11.1.0 medium CVE-2021-37699, 10.0.0..11.1.1 high CVE-2021-39178, 0.9.9..11.1.3 high CVE-2021-43803, 12.0.0..12.0.5 high CVE-2021-43803, 12.0.0..12.0.9 medium CVE-2022-21721, 10.0.0..12.1.0 medium CVE-2022-23646, 12.2.3..12.2.4 medium CVE-2022-36046, 11.1.4..12.3.5 high CVE-2025-29927, 12.3.5..12.3.6 low CVE-2025-30218, 0.9.9..13.4.20-canary.13 low CVE-2023-46298, 13.3.1..13.5.0 high CVE-2024-39693, 13.4.0..13.5.1 high CVE-2024-34350, 13.5.1..13.5.7 high CVE-2024-46982, 13.0.0..13.5.8 medium CVE-2024-56332, 13.0.0..13.5.9 high CVE-2025-29927, 13.5.9..13.5.10 low CVE-2025-30218, 13.4.0..14.1.1 high CVE-2024-34351, 10.0.0..14.2.7 medium CVE-2024-47831, 14.0.0..14.2.10 high CVE-2024-46982, 9.5.5..14.2.15 high CVE-2024-51479, 14.0.0..14.2.21 medium CVE-2024-56332, 0.9.9..14.2.24 low CVE-2025-32421, 14.0.0..14.2.25 high CVE-2025-29927, 14.2.25..14.2.26 low CVE-2025-30218, 13.0..14.2.30 low CVE-2025-48068, 0.9.9..14.2.31 medium CVE-2025-57752, 0.9.9..14.2.31 medium CVE-2025-55173, 0.9.9..14.2.32 medium CVE-2025-57822, 13.3.0..14.2.34 high GHSA-mwv6-3258-q52c, 13.3.1-canary.0..14.2.35 high GHSA-5j59-xgg2-r9c4, 14.3.0-canary.77..15.0.5 critical GHSA-9qr9-h5gf-34mp, 15.0.0-canary.0..15.0.6 high GHSA-mwv6-3258-q52c, 15.0.0-canary.0..15.0.6 medium GHSA-w37m-7fhw-fmv9, 15.0.6..15.0.7 high GHSA-5j59-xgg2-r9c4, 15.0.0..15.1.2 medium CVE-2024-56332, 15.0.0..15.1.6 low CVE-2025-32421, 15.0.4-canary.51..15.1.8 high CVE-2025-49826, 15.1.0-canary.0..15.1.9 critical GHSA-9qr9-h5gf-34mp, 15.1.1-canary.0..15.1.10 high GHSA-mwv6-3258-q52c, 15.1.1-canary.0..15.1.10 medium GHSA-w37m-7fhw-fmv9, 15.1.10..15.1.11 high GHSA-5j59-xgg2-r9c4, 15.0.0..15.2.2 low CVE-2025-48068, 15.0.0..15.2.3 high CVE-2025-29927, 15.2.3..15.2.4 low CVE-2025-30218, 15.2.0-canary.0..15.2.6 critical GHSA-9qr9-h5gf-34mp, 15.2.0-canary.0..15.2.7 high GHSA-mwv6-3258-q52c, 15.2.0-canary.0..15.2.7 medium GHSA-w37m-7fhw-fmv9, 15.2.7..15.2.8 high GHSA-5j59-xgg2-r9c4, 15.3.0..15.3.3 low CVE-2025-49005, 15.3.0-canary.0..15.3.6 critical GHSA-9qr9-h5gf-34mp, 15.3.0-canary.0..15.3.7 high GHSA-mwv6-3258-q52c, 15.3.0-canary.0..15.3.7 medium GHSA-w37m-7fhw-fmv9, 15.3.7..15.3.8 high GHSA-5j59-xgg2-r9c4, 15.0.0..15.4.5 medium CVE-2025-57752, 15.0.0..15.4.5 medium CVE-2025-55173, 15.0.0-canary.0..15.4.7 medium CVE-2025-57822, 15.4.0-canary.0..15.4.8 critical GHSA-9qr9-h5gf-34mp, 15.4.0-canary.0..15.4.9 high GHSA-mwv6-3258-q52c, 15.4.0-canary.0..15.4.9 medium GHSA-w37m-7fhw-fmv9, 15.4.9..15.4.10 high GHSA-5j59-xgg2-r9c4, 15.5.0-canary.0..15.5.7 critical GHSA-9qr9-h5gf-34mp, 15.5.1-canary.0..15.5.8 high GHSA-mwv6-3258-q52c, 15.5.1-canary.0..15.5.8 medium GHSA-w37m-7fhw-fmv9, 15.5.8..15.5.9 high GHSA-5j59-xgg2-r9c4, 15.6.0-canary.0..15.6.0-canary.59 high GHSA-mwv6-3258-q52c, 15.6.0-canary.0..15.6.0-canary.59 medium GHSA-w37m-7fhw-fmv9, 15.6.0-canary.59..15.6.0-canary.60 high GHSA-5j59-xgg2-r9c4, 16.0.0-canary.0..16.0.7 critical GHSA-9qr9-h5gf-34mp, 16.0.0-beta.0..16.0.9 high GHSA-mwv6-3258-q52c, 16.0.0-beta.0..16.0.9 medium GHSA-w37m-7fhw-fmv9, 16.0.9..16.0.10 high GHSA-5j59-xgg2-r9c4, 16.1.0-canary.0..16.1.0-canary.17 high GHSA-mwv6-3258-q52c, 16.1.0-canary.0..16.1.0-canary.17 medium GHSA-w37m-7fhw-fmv9, 16.1.0-canary.17..16.1.0-canary.19 high GHSA-5j59-xgg2-r9c4',
  pdfjs: '..1.10.100 high CVE-2018-5158, 2.0.0..2.0.550 high CVE-2018-5158, ..4.2.67 high CVE-2024-4367',
  prettyphoto: '..3.1.5 medium CVE-2013-6837, ..3.1.6 high -',
  prototype: '..1.5.1.2 high CVE-2008-7220, 1.6.0..1.6.0.2 high CVE-2008-7220',
  'react-dom':
    '16.0.0..16.0.1 medium CVE-2018-6341, 16.1.0..16.1.2 medium CVE-2018-6341, 16.2.0..16.2.1 medium CVE-2018-6341, 16.3.0..16.3.3 medium CVE-2018-6341, 16.4.0..16.4.2 medium CVE-2018-6341',
  select2: '..4.0.6 medium CVE-2016-10744',
  tinymce:
    '..1.4.2 high CVE-2011-4825, ..4.2.0 medium -, ..4.2.4 medium -, ..4.7.12 medium -, ..4.9.7 high CVE-2020-17480, ..4.9.10 medium CVE-2019-1010091, ..4.9.11 medium CVE-2020-12648, 5.0.0..5.1.4 high CVE-2020-17480, ..5.1.6 medium -, ..5.2.2 low -, 5.0.0..5.2.2 medium CVE-2019-1010091, ..5.4.0 low -, 5.0.0..5.4.1 medium CVE-2020-12648, ..5.6.0 low GHSA-h96f-fc7c-9r55, ..5.6.0 medium CVE-2024-21911, ..5.7.1 medium GHSA-5vm8-hhgr-jcjp, ..5.9.0 medium CVE-2024-21908, ..5.10.0 medium CVE-2024-21910, ..5.10.7 medium CVE-2022-23494, ..5.10.8 medium CVE-2023-45819, ..5.10.8 medium CVE-2023-45818, ..5.10.9 medium CVE-2023-48219, ..5.11.0 medium CVE-2024-38356, ..5.11.0 medium CVE-2024-38357, 6.0.0..6.3.1 medium CVE-2022-23494, 6.0.0..6.7.1 medium CVE-2023-45819, 6.0.0..6.7.1 medium CVE-2023-45818, 6.0.0..6.7.3 medium CVE-2023-48219, ..6.8.1 medium CVE-2024-29203, 6.0.0..6.8.4 medium CVE-2024-38356, 6.0.0..6.8.4 medium CVE-2024-38357, ..7.0.0 medium CVE-2024-29881, 7.0.0..7.2.0 medium CVE-2024-38356, 7.0.0..7.2.0 medium CVE-2024-38357',
  'ua-parser-js':
    '..0.7.22 high CVE-2020-7733, ..0.7.23 high CVE-2020-7793, 0.7.14..0.7.24 high CVE-2021-27292, 0.7.29..0.7.30 high GHSA-pjwm-rvh2-c87w, 0.7.30..0.7.33 high CVE-2022-25927, 0.8.0..0.8.1 high GHSA-pjwm-rvh2-c87w, 1.0.0..1.0.1 high GHSA-pjwm-rvh2-c87w, 0.8.0..1.0.33 high CVE-2022-25927',
  underscore: '1.3.2..1.12.1 high CVE-2021-23358',
  vue: '2.0.0-alpha.1..3.0.0-alpha.0 low CVE-2024-9506',
  yui: '2.4.0..2.8.2 medium CVE-2010-4207, 2.5.0..2.8.2 medium CVE-2010-4208, 2.8.0..2.8.2 medium CVE-2010-4209, ..2.9.0 medium CVE-2010-4710, 2.4.0..2.9.1 medium CVE-2012-5881, 2.5.0..2.9.1 medium CVE-2012-5882, 2.8.0..2.9.1 medium CVE-2012-5883, 3.2.0..3.9.2 medium CVE-2013-4941, 3.2.0..3.9.2 medium CVE-2013-4942, 3.0.0..3.10.3 medium CVE-2013-4939, 3.0.0..3.10.11 medium CVE-2013-4940, 3.10.12..3.10.13 medium CVE-2013-4940',
};
