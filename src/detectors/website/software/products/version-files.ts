import { products } from './product.ts';

/** Files of products that name their exact version. */
export const versionFiles = products('version_file', [
  [
    'the read-me file of WordPress',
    [
      'WordPress',
      /<title>WordPress (?:&rsaquo;|\S{1,3}) ReadMe|<h1 id="logo">\s{0,20}<a href="https:\/\/wordpress\.org/i,
    ],
  ],
  [
    'the change log of Drupal',
    [
      'Drupal ',
      /^Drupal \d{1,2}\.\d{1,3}(?:\.\d{1,3})?,? \(?\d{4}-\d\d-\d\d|^Drupal \d{1,2}\.\d{1,3}, \d{4}-/m,
    ],
  ],
  ['the manifest of Joomla', ['<extension', /<name>files_joomla<\/name>/, /<version>\d/]],
  ['the version of Magento', ['Magento/', /^Magento\/\d\.\d/]],
  ['the upgrade notes of Moodle', ['=== ', /^This files? describes? API changes in core/m]],
  ['the release notes of MediaWiki', ['MediaWiki', /^={1,2} ?MediaWiki \d\.\d{1,3}/m]],
  ['the read-me file of TYPO3', ['TYPO3 CMS', /^TYPO3 CMS/m]],
  ['the version file of phpMyAdmin', ['phpMyAdmin - ChangeLog']],
  ['the status of Nextcloud or ownCloud', ['"installed":true', '"versionstring":"']],
]);
