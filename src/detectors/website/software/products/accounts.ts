import { products } from './product.ts';

/** Lists of accounts, and interfaces that help to guess their passwords. */
export const accounts = [
  ...products('user_list', [
    ['the list of WordPress users', ['"slug":"', /^\[\{"id":\d/, /"avatar_urls":/]],
    [
      'the list of WordPress users in its sitemap',
      ['/author/', /<loc>https?:\/\/[^<]{1,200}\/author\/[^<]{1,100}<\/loc>/, 'wp-sitemap'],
    ],
    ['the list of Drupal users', ['"type":"user--user"', '"display_name":']],
    ['the list of Gitea users', ['"login_name":', '"is_admin":', /^\{"data":\[\{"id":\d/]],
    [
      'a list of accounts',
      ['"totalResults":', '"urn:ietf:params:scim:api:messages:2.0:ListResponse"'],
      { severity: 'high' },
    ],
    [
      'the list of Redmine users',
      ['{"users":[{"id":', '"login":"', '"last_login_on":'],
      { severity: 'medium' },
    ],
    ['the list of Ghost authors', ['{"authors":[{"slug":'], { severity: 'info' }],
  ]),
  ...products('xml_rpc', [['WordPress’s XML-RPC interface', ['XML-RPC server accepts POST requests only.']]]),
];
