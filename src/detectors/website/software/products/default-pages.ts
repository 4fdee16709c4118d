import { products } from './product.ts';

/** Pages that servers and frameworks show before they are set up. */
export const defaultPages = products('default_page', [
  ['nginx', ['Welcome to nginx!', '<title>']],
  ['OpenResty', ['Welcome to OpenResty!']],
  ['Apache', ['<h1>It works!</h1>', /<body>\s{0,10}<h1>It works!<\/h1>/i]],
  ['Apache on Debian or Ubuntu', ['Apache2', /<title>Apache2 (?:Debian|Ubuntu) Default Page/]],
  [
    'Apache on a Red Hat or CentOS system',
    [
      '<title>',
      /<title>(?:Test Page for the (?:Apache )?HTTP Server|Apache HTTP Server Test Page|HTTP Server Test Page)/i,
    ],
  ],
  ['a web server on a Fedora, Rocky or Alma system', ['HTTP Server Test Page']],
  [
    'IIS',
    [
      '<title>',
      /<title>(?:IIS ?\d{0,2}(?:\.\d)?(?: Windows(?: Server)?)?|Microsoft Internet Information Services \d)<\/title>/,
    ],
  ],
  ['Tomcat', ["If you're seeing this", "you've successfully installed Tomcat"]],
  ['Caddy', ['<title>Caddy works!']],
  ['lighttpd', ['Placeholder page', 'lighttpd']],
  ['Jetty', ['<title>', /<title>(?:Welcome to Jetty|Powered By Jetty|Eclipse Jetty)/i]],
  ['WildFly', ['<title>', /<title>Welcome to (?:WildFly|JBoss)/i]],
  ['GlassFish', ['server is now running', /<title>(?:GlassFish Server|Payara Server|Eclipse GlassFish)/i]],
  [
    'LiteSpeed',
    ['<title>', /<title>(?:Welcome to LiteSpeed|Congratulations \| OpenLiteSpeed|Open ?LiteSpeed)/i],
  ],
  [
    'Plesk',
    [
      '<title>',
      /<title>(?:Domain Default page|Web Server's Default Page|Default Parallels Plesk Panel Page)/i,
    ],
  ],
  ['cPanel', ['<title>', /<title>(?:Default Web Site Page|Default Website Page)/i]],
  ['XAMPP', ['<title>Welcome to XAMPP']],
  ['WampServer', ['<title>WAMPSERVER Homepage']],
  ['MAMP', ['<title>MAMP']],
  ['Django', ['The install worked successfully! Congratulations!']],
  ['Ruby on Rails', ['<title>Ruby on Rails', /Rails version:|Yay! You/]],
  ['Laravel', ['<title>Laravel</title>', 'https://laravel.com/docs', 'laracasts.com']],
  ['Symfony', ['Welcome to Symfony', /<title>Welcome to Symfony|<small>Welcome to<\/small>/]],
  ['CodeIgniter', ['<title>Welcome to CodeIgniter']],
  ['CakePHP', ['CakePHP: the rapid development', 'Welcome to CakePHP']],
  ['Yii', ['<h1>Congratulations!</h1>', 'created your Yii application']],
  ['Express', ['<title>Express</title>', '<p>Welcome to Express</p>']],
  [
    'ASP.NET',
    ['<title>', /<title>(?:Welcome to ASP\.NET|Home [Pp]age - (?:My ASP\.NET Application|WebApplication\d))/],
  ],
  ['Phoenix', ['Phoenix Framework', /Peace of mind from prototype to production|Welcome to Phoenix/]],
  ['Create React App', ['<title>React App</title>', 'Web site created using create-react-app']],
  ['Spring Boot', ['Whitelabel Error Page', 'no explicit mapping for /error']],
  ['a Kubernetes ingress', ['default backend - 404']],
  ['Drupal', ['No front page content has been created yet', 'Drupal']],
  ['WordPress', ['Hello world!', 'Welcome to WordPress. This is your first post']],
  [
    'a hosting provider',
    [
      '<title>',
      /<title>(?:This (?:domain|site) is (?:parked|under construction)|Parked Domain|Future home of something quite cool|Account Suspended|Domain parked)/i,
    ],
  ],
  ['Nginx Proxy Manager', ['<title>Default Site</title>', 'Nginx Proxy Manager']],
  [
    'AlmaLinux, Amazon Linux or Oracle Linux',
    ['<title>', /<title>Test Page for the (?:Nginx|Apache) HTTP Server on/i],
  ],
  ['httpd in a container', ['<html><body><h1>It works!</h1></body></html>']],
  [
    'a static site of Azure, Google or Amazon',
    [
      '<title>',
      /<title>(?:Microsoft Azure (?:Web App|App Service)[^<]{0,40}|Your web app is running and waiting for your content|Azure Static Web Apps - Welcome|Firebase Hosting Setup Complete|Welcome to Firebase Hosting)/,
    ],
  ],
]);
