import { products } from './product.ts';

/** Unfinished installers of applications: the first visitor to complete one owns the site. */
export const installers = products('installer', [
  [
    'the installer of WordPress',
    ['WordPress &rsaquo; Installation', /id="(?:setup|language)"|name="weblog_title"/],
  ],
  [
    'the configuration page of WordPress',
    ['WordPress &rsaquo; Setup Configuration File', /step=\d|language|<form/],
  ],
  [
    'the installer of Drupal',
    ['install-page', /<title>[^<]{0,80}\| Drupal|install\.php/],
    { without: ['already installed'] },
  ],
  ['the installer of Joomla', ['Joomla', /<title>[^<]{0,40}Joomla[^<]{0,20}Installer/i]],
  [
    'the installer of MediaWiki',
    [
      'MediaWiki',
      /<title>MediaWiki [\d.\w-]{1,20} (?:installation|&mdash;|-)|<title>[^<]{0,60}MediaWiki[^<]{0,20}installation/i,
    ],
    { without: ['config_UpgradeKey', 'config-upgrade-key'] },
  ],
  [
    'MediaWiki without its settings, which links to its installer',
    ['LocalSettings.php not found', 'mw-config/'],
  ],
  ['the installer of DokuWiki', ['<title>DokuWiki Installer', 'name="d[title]"']],
  ['the installer of Nextcloud or ownCloud', ['name="adminlogin"', 'name="adminpass"']],
  ['the installer of Nextcloud', ['initial-state-core-config', 'initial-state-core-canInstall']],
  [
    'the installer of phpBB',
    ['phpBB', /<title>[^<]{0,40}(?:Installation Panel|Install)[^<]{0,40}<\/title>/, 'install/app.php'],
  ],
  [
    'the installer of Magento',
    ['Magento', /ng-app="magentoSetup"|<title>Setup Tool \| Magento|Magento Setup/],
  ],
  ['the installer of PrestaShop', ['<title>PrestaShop Installation Assistant']],
  [
    'the installer of OpenCart',
    [
      'OpenCart',
      /<title>[^<]{0,30}(?:Step \d|Installation|License agreement)|<h1[^>]{0,80}>[^<]{0,40}License agreement/i,
      /view\/(?:stylesheet|javascript)\//,
    ],
  ],
  [
    'the installer of Moodle',
    [
      'moodle',
      /<title>[^<]{0,40}Installation[^<]{0,60}<\/title>|install\.php\?lang=/i,
      /Choose a language|Confirm paths|admin\/environment/,
    ],
  ],
  [
    'the installer of TYPO3',
    [
      'TYPO3',
      /<title>Installing TYPO3|data-init="TYPO3\/CMS\/Install\/Installer"|@typo3\/install\/init-installer/,
    ],
  ],
  [
    'the installer of Matomo',
    ['Matomo', /<title>[^<]{0,20}Matomo[^<]{0,30}Installation|class="installation"|id="installationPage"/],
  ],
  ['the setup page of phpMyAdmin', ['<title>phpMyAdmin setup', 'setup/']],
  ['the installer of GLPI', ['GLPI', /<title>(?:Setup GLPI|GLPI setup)/i]],
  ['the installer of Gitea', ['Initial Configuration', /name="db_type"/]],
  ['the installer of Forgejo', ['name="db_type"', 'name="app_name"']],
  ['the set-up of Ghost, without an owner', ['{"setup":[{"status":false']],
  [
    'the set-up page of Jenkins',
    ['Unlock Jenkins', 'initialAdminPassword', /id="security-token"|name="j_password"/],
  ],
  ['the set-up of Home Assistant, without an owner', ['"step":"user","done":false']],
  ['the set-up of Metabase, without an owner', ['"setup-token":"', /"has-user-setup":false/]],
  ['the set-up of Strapi, without an administrator', ['"hasAdmin":false']],
  ['the set-up of n8n, without an owner', ['"showSetupOnFirstLoad":true']],
  ['the installer of Craft CMS', ['<title>Install Craft CMS']],
  ['the installer of Concrete CMS', ['concrete', /<title>Install [Cc]oncrete/]],
  [
    'the installer of Umbraco',
    [
      'Umbraco',
      /<title>(?:Install )?Umbraco[^<]{0,20}(?:Install|Setup)?|ng-app="umbraco\.install"/,
      /umbraco\.install|installer/,
    ],
  ],
  ['the installer of Piwigo', ['Piwigo', /<title>Piwigo[^<]{0,30}Installation/]],
  [
    'the installer of Roundcube',
    ['<title>Roundcube Webmail Installer'],
    { without: ['The installer is disabled'] },
  ],
  ['the installer of Zabbix', ['setup-container', /<title>Installation<\/title>|Zabbix/]],
  ['the installer of LimeSurvey', ['<title>LimeSurvey installer']],
  [
    'the installer of Mautic',
    ['Mautic', /<title>[^<]{0,30}Mautic[^<]{0,20}Installation|Installation[^<]{0,10}Mautic/],
  ],
  ['the installer of SuiteCRM', ['Setup Wizard', /SuiteCRM|SugarCRM/, /<title>[^<]{0,20}Setup Wizard/]],
  [
    'the installer of osTicket',
    ['osTicket', /osTicket Install(?:er|ation)/, /name="(?:s|db|install)|Thank You for Choosing osTicket/],
  ],
  ['the installer of Cacti', ['Cacti', /<title>Cacti (?:Server )?(?:v[\d.]+ )?Install/]],
  [
    'the installer of MyBB',
    ['<title>MyBB Installation Wizard'],
    { without: ['installer is currently locked'] },
  ],
  ['the installer of ProcessWire', ['ProcessWire', /<title>ProcessWire[^<]{0,20}Installation/]],
  ['the installer of Dolibarr', ['<title>Dolibarr install or upgrade']],
  ['the set-up page of Snipe-IT', ['Snipe-IT', /<title>[^<]{0,30}Snipe-IT Setup/]],
  ['the set-up page of Wiki.js', ['<title>Wiki.js Setup']],
  ['the set-up page of Rocket.Chat', ['rocketchat', /"Show_Setup_Wizard":"pending"/]],
  ['the set-up page of Discourse', ['Congratulations, you installed Discourse']],
  ['the installer of Kirby', ['k-installation', /"k-installation-view"|class="k-installation/]],
  [
    'the installer of October or Winter CMS',
    ['Installation', /<title>(?:October|Winter) CMS Install|October Installation/],
  ],
  ['the installer of Flarum', ['<title>Install Flarum']],
  ['the installer of Open Journal Systems', ['<title>OJS Installation']],
  ['the installer of ownCloud', ['Create an <strong>admin account</strong>']],
  ['the installer of a Laravel application', ['Laravel Installer', /<title>[^<]{0,60}Laravel Installer/]],
  ['the installer of Vanilla', ['Vanilla is Ready to be Configured']],
  [
    'the set-up page of Portainer, without an administrator',
    ['"message":"No administrator account found inside the database"'],
  ],
  ['the installer of Shopware', ['Shopware', /<title>[^<]{0,30}Shopware[^<]{0,20}Install(?:er|ation)/]],
  ['the installer of XWiki', ['Distribution Wizard', 'xwiki']],
  ['the set-up page of Uptime Kuma', ['"type":"setup-database"']],
  ['the set-up page of pfSense or OPNsense', ['wizard.php?xml=setup_wizard']],
]);
