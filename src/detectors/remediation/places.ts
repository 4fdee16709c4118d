/** Where the code of a fix goes. */
export interface Place {
  readonly product: string;
  readonly where: string;
  readonly language: string;
  /** The program that parses such code in tests; null if none can. */
  readonly parser: string | null;
}

function place(product: string, where: string, language: string, parser: string | null): Place {
  return { product, where, language, parser };
}

/** Every place that a fix names. */
export const places = {
  'nginx.http': place('nginx', 'In the http block', 'nginx', 'nginx'),
  'nginx.server': place('nginx', 'In the server block', 'nginx', 'nginx'),
  'apache.server': place('Apache', 'In the server configuration', 'apache', 'Apache'),
  'apache.host': place('Apache', 'In the VirtualHost', 'apache', 'Apache'),
  'caddy.file': place('Caddy', 'In the Caddyfile', 'caddy', 'Caddy'),
  'caddy.site': place('Caddy', 'In the site block', 'caddy', 'Caddy'),
  'lighttpd.file': place('lighttpd', 'In lighttpd.conf', 'lighttpd', 'lighttpd'),
  'haproxy.global': place('HAProxy', 'In the global section', 'haproxy', 'HAProxy'),
  'haproxy.frontend': place('HAProxy', 'In the frontend', 'haproxy', 'HAProxy'),
  'iis.web-config': place('IIS', 'In web.config', 'xml', null),
  'express.app': place('Express', 'Before the routes', 'javascript', 'Node.js'),
  'node.file': place('Node.js', 'In the server’s code', 'javascript', 'Node.js'),
  'php.ini': place('PHP', 'In php.ini', 'ini', 'PHP'),
  'php.code': place('PHP', 'In the code', 'php', 'PHP'),
  'laravel.env': place('Laravel', 'In .env', 'ini', null),
  'symfony.env': place('Symfony', 'In .env.local', 'ini', null),
  'django.settings': place('Django', 'In settings.py', 'python', 'Python'),
  'django.code': place('Django', 'In the code', 'python', 'Python'),
  'flask.code': place('Flask', 'In the code', 'python', 'Python'),
  'rails.production': place('Rails', 'In config/environments/production.rb', 'ruby', 'Ruby'),
  'rails.code': place('Rails', 'In the code', 'ruby', 'Ruby'),
  'spring.properties': place('Spring Boot', 'In application.properties', 'ini', null),
  'tomcat.web-xml': place('Tomcat', 'In web.xml', 'xml', null),
  'tomcat.server-xml': place('Tomcat', 'In server.xml', 'xml', null),
  'aspnet.web-config': place('ASP.NET', 'In web.config', 'xml', null),
  'webpack.config': place('webpack', 'In webpack.config.js', 'javascript', 'Node.js'),
  'vite.config': place('Vite', 'In vite.config.js', 'javascript', 'Node.js'),
  'html.page': place('HTML', 'In the page', 'html', null),
  'dns.zone': place('DNS', 'In the zone', 'dns', 'named-checkzone'),
  'bind.file': place('BIND', 'In named.conf', 'named', 'named-checkconf'),
  shell: place('Shell', 'On the server', 'shell', 'bash'),
  'aws.shell': place('AWS', 'In a shell with the AWS CLI', 'shell', 'bash'),
  'postgres.sql': place('PostgreSQL', 'In psql, as a superuser', 'sql', 'PostgreSQL'),
  'postgres.file': place('PostgreSQL', 'In postgresql.conf', 'ini', 'PostgreSQL'),
  'postgres.hba': place('PostgreSQL', 'In pg_hba.conf', 'pg_hba', 'PostgreSQL'),
  'postgres.shell': place('PostgreSQL', 'In a shell on the server', 'shell', 'bash'),
  'mariadb.sql': place('MariaDB', 'In the mariadb client, as an administrator', 'sql', 'MariaDB'),
  'mariadb.file': place('MariaDB', 'In the server’s option file', 'ini', 'MariaDB'),
  'mariadb.shell': place('MariaDB', 'In a shell on the server', 'shell', 'bash'),
  'mysql.sql': place('MySQL', 'In the mysql client, as an administrator', 'sql', null),
  'mysql.file': place('MySQL', 'In the server’s option file', 'ini', null),
  'mysql.shell': place('MySQL', 'In a shell on the server', 'shell', 'bash'),
  'redis.cli': place('Redis', 'In redis-cli, as an administrator', 'redis', 'Redis'),
  'redis.file': place('Redis', 'In redis.conf', 'redis', 'Redis'),
  'redis.shell': place('Redis', 'In a shell on the server', 'shell', 'bash'),
  'supabase.sql': place('Supabase', 'In the SQL editor', 'sql', 'PostgreSQL'),
  'supabase.env': place('Supabase', 'In .env, where you host it yourself', 'ini', null),
} as const satisfies Record<string, Place>;

export type PlaceName = keyof typeof places;
