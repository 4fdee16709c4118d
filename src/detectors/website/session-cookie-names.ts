/**
 * Names of cookies that carry a session or keep someone signed in, in lowercase and without `__Host-` and `__Secure-`, by product. From
 * the products' documentation and source code.
 */
const names: Readonly<Record<string, string>> = {
  'AWS Application Load Balancer': 'awselbauthsessioncookie-0 awselbauthsessioncookie-1',
  'ASP.NET': 'asp.net_sessionid .aspxauth .aspxformsauth .aspnet.applicationcookie .aspnet.cookies',
  'ASP.NET Core': '.aspnetcore.session .aspnetcore.cookies .aspnetcore.identity.application',
  'Active Directory Federation Services': 'msisauth msisauth1 msisauthenticated',
  'Adobe Experience Manager': 'login-token',
  'Apereo CAS': 'castgc tgc',
  'Argo CD': 'argocd.token',
  Artifactory: 'accesstoken refreshtoken',
  'Auth.js': 'authjs.session-token next-auth.session-token session-token',
  Auth0: 'appsession auth0 auth0_compat',
  'Beaker of Python': 'beaker.session.id',
  'Better Auth': 'better-auth.session_token',
  BigCommerce: 'shop_session_token',
  Bitbucket: 'bitbucketsessionid',
  Bugzilla: 'bugzilla_logincookie',
  CakePHP: 'cakephp',
  'Check Point': 'cpcvpn_session_id',
  'Cisco AnyConnect': 'webvpn webvpnlogin',
  'Citrix NetScaler': 'nsc_aaac nsc_tmas nsc_tass',
  Clerk: '__client __session',
  'Cloudflare Access': 'cf_authorization cf_appsession',
  CodeIgniter: 'ci_session',
  ColdFusion: 'cfid cftoken',
  'DNN Platform': '.dotnetnuke',
  Directus: 'directus_session_token directus_refresh_token',
  Discourse: '_forum_session',
  Django: 'sessionid',
  Express: 'connect.sid express.sid express:sess',
  'F5 BIG-IP APM': 'mrhsession',
  Flask: 'session remember_token',
  Flarum: 'flarum_session flarum_remember',
  Fortinet: 'svpncookie',
  Ghost: 'ghost-admin-api-session ghost-members-ssr',
  GitHub: 'user_session _gh_sess',
  'Gitea and Forgejo': 'i_like_gitea i_like_forgejo i_like_gogs gitea_incredible',
  Grafana: 'grafana_session',
  'Invision Community': 'ips4_ipssessionfront ips4_ipssessionadmin',
  'Ivanti Connect Secure': 'dsid',
  'Java servlets': 'jsessionid jsessionidsso',
  JupyterHub: 'jupyterhub-session-id',
  KeystoneJS: 'keystonejs-session',
  Keycloak: 'keycloak_identity keycloak_identity_legacy auth_session_id auth_session_id_legacy',
  Koa: 'koa.sess koa:sess koa.sid',
  Laravel: 'laravel_session laravel-session',
  Lucia: 'auth_session',
  MantisBT: 'mantis_string_cookie',
  Matomo: 'matomo_sessid piwik_sessid',
  Mattermost: 'mmauthtoken',
  Metabase: 'metabase.session',
  'Microsoft Entra ID': 'estsauth estsauthpersistent',
  'Microsoft Exchange': 'cadata',
  'Microsoft SharePoint': 'fedauth rtfa',
  MyBB: 'mybbuser',
  'MyChart of Epic': 'mychart_session',
  Nexus: 'nxsessionid',
  Nextcloud: 'nc_session_id nc_token oc_sessionpassphrase',
  OAuth2: '_oauth2_proxy oauth2_proxy',
  Odoo: 'session_id',
  OpenCart: 'ocsessid',
  OpenEMR: 'openemr portalopenemr',
  'Oracle Access Manager': 'obssocookie oam_id',
  'Orchard Core': 'orchauth_default',
  PHP: 'phpsessid',
  PeopleSoft: 'ps_token',
  Phabricator: 'phsid',
  'Ping Identity': 'pf pa_was',
  Play: 'play_session',
  'Plesk and cPanel': 'plesksessid cpsession webmailsession whostmgrsession',
  Plone: '__ac',
  'Proxmox VE': 'pveauthcookie pbsauthcookie pmgauthcookie',
  'Rack and Rails': 'rack.session _session_id',
  Rancher: 'r_sess',
  Roundcube: 'roundcube_sessid roundcube_sessauth',
  'SAP NetWeaver': 'mysapsso2',
  Sails: 'sails.sid',
  Sakai: 'sakaiid',
  'Salesforce and Webmin': 'sid',
  Shopify: '_secure_session_id _secure_account_session_id storefront_digest',
  SiteMinder: 'smsession',
  SonarQube: 'jwt-session',
  'Spring Security and Session': 'session remember-me',
  SquirrelMail: 'sqmsessid',
  Symfony: 'rememberme',
  TYPO3: 'fe_typo_user be_typo_user',
  TeamCity: 'tcsessionid',
  Trac: 'trac_auth trac_session',
  Umbraco: 'umb_ucontext',
  'WebSphere and Domino': 'ltpatoken ltpatoken2 domauthsessid',
  XenForo: 'xf_session xf_user',
  Yii: '_identity _identity-frontend _identity-backend advanced-frontend advanced-backend',
  Zabbix: 'zbx_session zbx_sessionid',
  'Zen Cart and osCommerce': 'zenid oscsid',
  Zimbra: 'zm_auth_token zm_admin_auth_token',
  nopCommerce: '.nop.authentication .nop.session',
  osTicket: 'ostsessid',
  phpMyAdmin: 'phpmyadmin',
  UniFi: 'unifises',
  vBulletin: 'bb_sessionhash vbulletin_sessionhash',
  // Names that applications give themselves.
  'various applications':
    'sessid access_token auth_token authtoken refresh_token id_token jwt token auth authorization remember_user_token remember_me',
};

/** Names with parts that a product generates, or that an installation chooses. */
const patterns: Readonly<Record<string, RegExp>> = {
  ABP: /^\.abp(?:io)?\.(?:identity|session)/,
  'Classic ASP': /^aspsessionid/,
  D2L: /^d2l(?:secure)?sessionval$/,
  Dolibarr: /^dolsessid_[0-9a-f]{8}/,
  Drupal: /^s?sess[0-9a-f]{16}/,
  GLPI: /^glpi_[0-9a-f]{8}/,
  'Google Identity-Aware Proxy': /^gcp_iaap_auth_token_/,
  Laravel: /^remember_(?:web|admin)_[0-9a-f]{8}/,
  Moodle: /^moodlesession/,
  'Oracle Access Manager': /^oamauthncookie/,
  'Oracle APEX': /^ora_ww[vp]_(?:app|user)_\d/,
  Phoenix: /^_[a-z0-9_]{1,60}_key$/,
  PrestaShop: /^prestashop-[0-9a-f]{8}/,
  'SAP NetWeaver': /^sap_sessionid_/,
  Shibboleth: /^_shibsession_/,
  'Simple Machines Forum': /^smfcookie\d/,
  Splunk: /^splunkd_\d/,
  Supabase: /^sb-[a-z0-9-]{1,80}-auth-token(?:\.\d)?$/,
  WordPress: /^(?:wordpress_logged_in|wordpress_sec|wp_woocommerce_session|wordpress)_[0-9a-f]{8}/,
};

/**
 * Names that a product has for its session and others use for something else, by product: only a value like that of a session counts.
 */
const ambiguous: Readonly<Record<string, string>> = {
  Discourse: '_t',
  'Magento 1': 'frontend adminhtml',
  Graylog: 'authentication',
  Synology: 'id',
};

const wordsOf = (lists: Readonly<Record<string, string>>) =>
  new Set(Object.values(lists).flatMap(list => list.split(' ')));

const known = wordsOf(names);
const knownPatterns = Object.values(patterns);
const uncertain = wordsOf(ambiguous);

/** @param bare a name in lowercase, without its prefix */
export const isProductsSession = (bare: string) =>
  known.has(bare) || knownPatterns.some(pattern => pattern.test(bare));

/** Joomla names its session by a hash. @param bare as above */
export const mayBeProductsSession = (bare: string) => uncertain.has(bare) || /^[0-9a-f]{32}$/.test(bare);
