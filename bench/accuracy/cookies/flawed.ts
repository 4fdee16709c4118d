import { base64, hard, type Row, token } from './row.ts';

const [insecure, scripts, sites] = ['session_not_secure', 'session_not_httponly', 'session_samesite'];
const all = (name: string) => [insecure, scripts, sites].map(check => `${check} ${name}`);
const open = 'open_content';
/** As products send their session without further settings. */
export const products: readonly Row[] = [
  ['PHP', 'PHPSESSID={text:26}; path=/', all('PHPSESSID')],
  ['Tomcat', 'JSESSIONID={hex:32}; Path=/; HttpOnly', [insecure, sites]],
  ['Tomcat behind HTTPS', 'JSESSIONID={hex:32}; Path=/portal; Secure; HttpOnly', sites],
  ['ASP.NET', 'ASP.NET_SessionId={text:24}; path=/; HttpOnly; SameSite=Lax', insecure],
  ['ASP.NET Identity', '.AspNet.ApplicationCookie={mixed:200}; path=/; HttpOnly', [insecure, sites]],
  ['classic ASP', 'ASPSESSIONIDSQRTTBBA=HFDKLMNOPQRSTUVWXYZABCDE; secure; path=/', [scripts, sites]],
  ['Express', 'connect.sid=s%3A{mixed:32}.{mixed:43}; Path=/; HttpOnly', [insecure, sites]],
  [
    'Django',
    'sessionid={text:32}; expires=Sun, 13 Dec 2026 08:00:00 GMT; HttpOnly; Max-Age=1209600; Path=/; SameSite=Lax',
    insecure,
  ],
  [
    'Rails',
    '_clinic_session={mixed:120}%3D--{mixed:16}--{mixed:22}%3D%3D; path=/; HttpOnly; SameSite=Lax',
    insecure,
  ],
  [
    'Laravel',
    [
      'XSRF-TOKEN=eyJpdiI6{mixed:180}; path=/; samesite=lax',
      'laravel_session=eyJpdiI6{mixed:180}; path=/; httponly; samesite=lax',
    ],
    insecure,
  ],
  ['Laravel 12', 'clinic-session=eyJpdiI6{mixed:180}; path=/; httponly; samesite=lax', insecure],
  ['Flask', 'session=eyJfZnJlc2giOmZhbHNlfQ.Z0a1Bw.{mixed:27}; HttpOnly; Path=/', [insecure, sites]],
  ['Spring Session', 'SESSION={mixed:48}; Path=/; Secure; HttpOnly', sites],
  ['Phoenix', '_clinic_key=SFMyNTY.{mixed:60}.{mixed:43}; path=/; HttpOnly', [insecure, sites]],
  [
    'WordPress',
    'wordpress_logged_in_{hex:32}=ada%7C1795262400%7C{mixed:43}%7C{hex:64}; path=/; secure',
    [scripts, sites],
  ],
  [
    'WooCommerce',
    'wp_woocommerce_session_{hex:32}=t_{hex:30}%7C%7C1795262400; path=/; secure; HttpOnly',
    sites,
  ],
  ['Joomla', '4f1c9a7be02d83561f0e9d8c7b6a5f43={text:26}; path=/; HttpOnly', [insecure, sites]],
  ['TYPO3', 'fe_typo_user={hex:32}; path=/; HttpOnly', [insecure, sites]],
  ['Moodle', 'MoodleSessionclinic={text:26}; path=/; secure', [scripts, sites]],
  [
    'Nextcloud',
    [
      'oc8k2j4h6g1f3={text:26}; path=/; secure; HttpOnly',
      'nc_sameSiteCookielax=true; path=/; httponly; secure; SameSite=lax',
    ],
    sites,
  ],
  ['Gitea', 'i_like_gitea={hex:16}; Path=/; HttpOnly; SameSite=Lax', insecure],
  ['Grafana', 'grafana_session={hex:32}; Path=/; Max-Age=2592000; HttpOnly', [insecure, sites]],
  [
    'Keycloak',
    [
      'AUTH_SESSION_ID={mixed:80}; Path=/realms/clinic/; HttpOnly',
      'KC_RESTART={mixed:200}; Path=/realms/clinic/; Secure; HttpOnly',
    ],
    [`${insecure} AUTH_SESSION_ID`, `${sites} AUTH_SESSION_ID`],
  ],
  ['Roundcube', 'roundcube_sessid={text:26}; path=/; HttpOnly', [insecure, sites]],
  ['Zimbra', 'ZM_AUTH_TOKEN=0_{hex:120}; Path=/; HttpOnly', [insecure, sites]],
  ['SAP', 'SAP_SESSIONID_PRD_100={mixed:60}%3d; path=/', all('SAP_SESSIONID_PRD_100')],
  ['WebSphere', 'LtpaToken2={mixed:200}; Path=/', all('LtpaToken2')],
  ['F5 APM', 'MRHSession={hex:32}; path=/; secure', [scripts, sites]],
  ['Citrix Gateway', 'NSC_AAAC={hex:45}; path=/; HttpOnly', [insecure, sites]],
  ['Fortinet', 'SVPNCOOKIE={mixed:120}; path=/; secure', [scripts, sites]],
  ['oauth2-proxy', '_oauth2_proxy={mixed:180}; Path=/; HttpOnly', [insecure, sites]],
  ['Auth.js', '__Secure-authjs.session-token={mixed:200}; Path=/; Secure; SameSite=Lax', scripts],
  [
    'ColdFusion',
    ['CFID=4711; path=/', 'CFTOKEN={hex:16}-{hex:8}; path=/'],
    [...all('CFID'), ...all('CFTOKEN')],
  ],
];

export const behaving: readonly Row[] = [
  ['a PHP session with its own name', 'clinicapp={text:26}; path=/; HttpOnly', [insecure, sites]],
  ['a Tomcat session with its own name', 'PORTALID={hex:32}; Path=/; Secure; HttpOnly', sites],
  [
    'a signed session with its own name',
    'praxis=s%3A{mixed:32}.{mixed:43}; Path=/; HttpOnly; SameSite=Lax',
    insecure,
  ],
  [
    'a signed Flask session with its own name',
    'praxis=eyJfZnJlc2giOmZhbHNlfQ.Z0a1Bw.{mixed:27}; HttpOnly; Path=/; Secure',
    sites,
  ],
];

export const stating: readonly Row[] = [
  ['a role', `role=guest; ${hard}`, open],
  ['a flag of administrators', `isAdmin=false; ${hard}`, open],
  [
    'a role in JSON',
    `user_info=${encodeURIComponent('{"name":"","role":"visitor","isAdmin":false}')}; ${hard}`,
    open,
  ],
  ['a role in Base64', `u=${base64({ user: 'guest', role: 'guest' })}; ${hard}`, open],
  [
    'nested rights in Base64',
    `ctx=${encodeURIComponent(base64({ user: { id: 0, is_staff: false } }))}; ${hard}`,
    open,
  ],
  ['a PHP object', `basket=${encodeURIComponent('O:6:"Basket":1:{s:5:"items";a:0:{}}')}; ${hard}`, open],
  ['a Java object', `prefs=rO0ABXNyABdqYXZhLnV0aWwuTGlua2VkSGFzaE1hcDTATlwQbMD7; ${hard}`, open],
  ['a Python object', `prefs=gASVFgAAAAAAAAB9lIwFdGhlbWWUjARkYXJrlHMu; ${hard}`, open],
  ['a token without a signature', `ticket=${token({ alg: 'none', typ: 'JWT' }, '')}; ${hard}`, open],
  ['an address', `email=ada%40clinic.example; ${hard}`, open],
];

export const others: readonly Row[] = [
  [
    'a broken prefix',
    '__Host-clinic={text:26}; Path=/portal; Secure; HttpOnly; SameSite=Lax',
    'prefix_broken',
  ],
  ['a prefix without Secure', '__Secure-lang=de; Path=/', 'prefix_broken'],
  ['shared with the whole domain', `sid={text:26}; Domain=.clinic.com; ${hard}`, 'broad_domain'],
  ['SameSite=None without Secure', 'sid={text:26}; Path=/; HttpOnly; SameSite=None', [insecure, sites]],
  ['an unknown value of SameSite', 'sid={text:26}; Path=/; Secure; HttpOnly; SameSite=Always', sites],
];
