import type { Severity } from '../../../contract/severity.ts';

interface DevelopmentFile {
  readonly what: string;
  /** Of the path, in lowercase. */
  readonly path: RegExp;
  /** All of them occur. */
  readonly content: readonly RegExp[];
  /** `info` for files that many projects publish. */
  readonly severity?: Severity;
}

const info = { severity: 'info' } as const;

/** Files of projects that are not part of a site, by name and content. */
const developmentFiles: readonly DevelopmentFile[] = [
  {
    what: 'the manifest of an npm package',
    path: /\/package\.json$/,
    content: [/^\s{0,20}\{/, /"(?:dependencies|devDependencies|scripts)"\s{0,4}:/],
    ...info,
  },
  {
    what: 'a lock file of npm',
    path: /\/(?:package-lock|npm-shrinkwrap)\.json$/,
    content: [/"lockfileVersion"\s{0,4}:/],
  },
  { what: 'a lock file of Yarn', path: /\/yarn\.lock$/, content: [/^# yarn lockfile v1|^__metadata:/m] },
  { what: 'a lock file of pnpm', path: /\/pnpm-lock\.ya?ml$/, content: [/^lockfileVersion:/m] },
  {
    what: 'the manifest of a PHP project',
    path: /\/composer\.json$/,
    content: [/^\s{0,20}\{/, /"(?:require|autoload|require-dev)"\s{0,4}:/],
    ...info,
  },
  { what: 'a lock file of Composer', path: /\/composer\.lock$/, content: [/"content-hash"\s{0,4}:/] },
  {
    what: 'Composer’s list of installed packages',
    path: /\/installed\.json$/,
    content: [/"(?:packages|version_normalized)"\s{0,4}:/],
  },
  {
    what: 'the manifest of a Ruby project',
    path: /\/gemfile$/,
    content: [/^\s{0,8}(?:source ['"]https:|gem ['"])/m],
    ...info,
  },
  { what: 'a lock file of Bundler', path: /\/gemfile\.lock$/, content: [/^GEM\s{0,4}$/m, /^ {2}remote:/m] },
  {
    what: 'the requirements of a Python project',
    path: /\/requirements(?:[-_.]\w{1,20})?\.txt$/,
    content: [/^[A-Za-z][\w.-]{1,60}(?:\[[\w,-]{1,60}\])?\s{0,2}(?:==|>=|~=|<=)\s{0,2}\d/m],
    ...info,
  },
  {
    what: 'the manifest of a Python project',
    path: /\/(?:pyproject\.toml|pipfile)$/,
    content: [/^\[(?:project|tool\.\w{1,30}|build-system|packages|\[source\])/m],
    ...info,
  },
  {
    what: 'a lock file of a Python project',
    path: /\/(?:poetry\.lock|pipfile\.lock|uv\.lock)$/,
    content: [/^\[\[package\]\]|"_meta"\s{0,4}:/m],
  },
  {
    what: 'the manifest of a Go project',
    path: /\/go\.(?:mod|sum)$/,
    content: [/^module \S|^\S{3,200} v\d\S{1,80} h1:/m],
    ...info,
  },
  {
    what: 'the manifest of a Rust project',
    path: /\/cargo\.(?:toml|lock)$/,
    content: [/^\[(?:package|dependencies|workspace)\]|^\[\[package\]\]/m],
    ...info,
  },
  {
    what: 'the build file of a Java project',
    path: /\/(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
    content: [/<project\b[^>]{0,400}maven|^\s{0,8}(?:plugins|dependencies|apply plugin)\b/m],
    ...info,
  },
  {
    what: 'the deployment descriptor of a Java application',
    path: /\/web-inf\/web\.xml$/,
    content: [/<web-app\b/],
  },
  {
    what: 'a Dockerfile',
    path: /\/(?:docker|container)file(?:[.-][\w.-]{1,30})?$/,
    content: [/^FROM\s{1,4}(?:--platform=\S{1,60}\s{1,4})?[\w./:@${}-]{2,200}/im],
  },
  {
    what: 'a Compose file',
    path: /\/(?:docker-)?compose(?:[.-][\w.-]{1,30})?\.ya?ml$/,
    content: [/^services:/m],
  },
  {
    what: 'a CI configuration',
    path: /\/(?:\.gitlab-ci|\.travis|appveyor|\.drone|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|\.circleci\/config|\.github\/workflows\/[\w.-]{1,40}|codemagic|wercker)\.ya?ml$/,
    content: [
      /^(?:stages|image|script|before_script|language|jobs|steps|pipelines|on|version|kind|phases|build|deploy|\w[\w-]{0,30}):/m,
      /^\s{0,12}(?:-\s{1,4})?(?:script|run|stage|steps?|jobs|install|commands?|name|image|runs-on|task|environment|phases)\s{0,4}:/m,
    ],
  },
  {
    what: 'a Jenkins pipeline',
    path: /\/jenkinsfile$/,
    content: [/\bpipeline\s{0,4}\{|\bnode\s{0,4}(?:\([^)]{0,60}\)\s{0,4})?\{/],
  },
  {
    what: 'settings of an IDE',
    path: /\/(?:\.idea\/[\w./-]{3,60}\.(?:xml|iml|name)|\.project|\.classpath|nbproject\/[\w.-]{3,40})$/,
    content: [/<(?:project|module|component|projectDescription|classpath)\b/],
  },
  {
    what: 'settings of an editor',
    path: /\/(?:\.vscode\/(?:settings|launch|tasks|extensions)\.json|[\w.-]{1,60}\.(?:sublime-project|sublime-workspace|code-workspace)|\.editorconfig)$/,
    content: [/"[\w.-]{2,60}"\s{0,4}:|^root\s{0,4}=/m],
    ...info,
  },
  {
    what: 'the configuration of a build tool',
    path: /\/(?:webpack|vite|rollup|gulpfile|gruntfile|babel|postcss|tailwind|next|nuxt|vue|svelte|astro|angular|tsconfig|jsconfig)[\w.-]{0,20}\.(?:[cm]?[jt]s|json)$/,
    content: [/module\.exports|export default|"compilerOptions"|"projects"\s{0,4}:|\bgulp\b/],
    ...info,
  },
  {
    what: 'a Makefile',
    path: /\/makefile$/,
    content: [/^[\w.%/-]{1,60}\s{0,4}:(?!=)[^\n]{0,200}\n\t/m],
    ...info,
  },
  {
    what: 'a file that starts a deployment',
    path: /\/(?:procfile|vagrantfile|serverless\.ya?ml|fly\.toml|vercel\.json|netlify\.toml|now\.json|app\.yaml|captain-definition|deploy\.(?:sh|php|rb)|capfile)$/,
    content: [
      /^(?:web|worker|release)\s{0,4}:|Vagrant\.configure|^(?:service|provider|functions|app|runtime|primary_region)\s{0,4}[:=]|^\[(?:build|deploy|http_service|\[)|"(?:builds|rewrites|version|schemaVersion)"\s{0,4}:|^#!|\b(?:set|task|server)\b/m,
    ],
  },
  {
    what: 'a Terraform file',
    path: /\.tf(?:vars)?$/,
    content: [
      /^(?:resource|provider|variable|module|terraform|data|output|locals)\b[^\n]{0,200}\{|^\w{1,60}\s{0,40}=\s/m,
    ],
  },
  {
    what: 'an Ansible inventory or playbook',
    path: /\/(?:ansible\.cfg|inventory(?:\.ini|\.ya?ml)?|playbook\.ya?ml|site\.ya?ml|hosts(?:\.ini)?)$/,
    content: [/^\[(?:defaults|[\w:-]{1,40})\]|^\s{0,4}-\s{1,4}(?:hosts|name)\s{0,4}:|ansible_/m],
  },
  {
    what: 'a Kubernetes manifest',
    path: /\.ya?ml$/,
    content: [/^apiVersion:\s{0,4}\S/m, /^kind:\s{0,4}[A-Z]/m],
  },
  {
    what: 'the configuration of IIS and ASP.NET',
    path: /\/web\.config$/,
    content: [/<configuration\b/, /<(?:system\.web|system\.webServer|appSettings|connectionStrings)\b/],
  },
  {
    what: 'Apache’s configuration of a folder',
    path: /\/\.htaccess$/,
    content: [
      /^\s{0,8}(?:RewriteEngine|RewriteRule|Options|Deny|Allow|Require|AuthType|Header|<(?:IfModule|Files|Limit)|DirectoryIndex|ErrorDocument|php_value|Redirect|Order)\b/im,
    ],
  },
  {
    what: 'a server’s configuration',
    path: /\/(?:nginx\.conf|httpd\.conf|apache2\.conf|php\.ini|\.user\.ini|caddyfile|lighttpd\.conf|haproxy\.cfg|my\.cnf|redis\.conf)$/,
    content: [
      /^\s{0,8}(?:server\s{0,4}\{|http\s{0,4}\{|events\s{0,4}\{|listen\b|<VirtualHost|\[PHP\]|\[mysqld\]|[a-z_.]{3,40}\s{0,4}=\s|reverse_proxy\b|frontend\b|server\.modules|bind \d|requirepass)/im,
    ],
  },
  {
    what: 'a test configuration',
    path: /\/(?:phpunit\.xml(?:\.dist)?|\.phpunit\.result\.cache|jest\.config\.[cm]?js|karma\.conf\.js|cypress\.json|pytest\.ini|tox\.ini)$/,
    content: [/<phpunit\b|"?defects"?|module\.exports|export default|"baseUrl"|^\[(?:pytest|tox|testenv)/m],
    ...info,
  },
  {
    what: 'a list of files that Git ignores',
    path: /\/\.(?:git|docker|npm)ignore$/,
    content: [/^(?:\/?[\w.*-]{1,60}\/?|#[^\n]{0,200}|!\S{1,60})\s{0,2}$/m],
    ...info,
  },
  {
    what: 'a configuration of Git',
    path: /\/\.git(?:modules|attributes)$/,
    content: [/^\[submodule |^\*?[\w.*/-]{1,60} (?:text|binary|filter|linguist|diff|merge)/m],
    ...info,
  },
  {
    what: 'an analysis or release configuration',
    path: /\/(?:sonar-project\.properties|\.releaserc(?:\.json)?|lerna\.json|renovate\.json|dependabot\.yml)$/,
    content: [/^sonar\.|"(?:branches|packages|extends|version)"\s{0,4}:|^updates:/m],
    ...info,
  },
  {
    what: 'settings of Git',
    path: /\/\.gitconfig$/,
    content: [/^\[(?:alias|core|credential|include|user)\b[^\]\n]{0,80}\]/m],
  },
  {
    what: 'settings of AWS’s command line',
    path: /\/\.aws\/config$/,
    content: [/^\[(?:default|profile [\w.@-]{1,60})\]/m],
  },
  {
    what: 'a list of SSH keys or hosts',
    path: /\/\.ssh\/(?:authorized_keys2?|known_hosts|config|id_[a-z0-9]{2,10}\.pub)$/,
    content: [/(?:^|\s)(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA|^Host(?:Name)? \S/m],
  },
  {
    what: 'a log of Yarn with settings of the machine',
    path: /\/yarn-error\.log$/,
    content: [/^(?:Yarn|Node) version:/m],
  },
  {
    what: 'a list of transferred files',
    path: /\/ws_ftp\.log$/,
    content: [/^\d{2,4}\.\d\d\.\d\d \d\d:\d\d [AB] /m],
  },
  {
    what: 'a folder’s list of CVS or Bazaar',
    path: /\/(?:cvs\/(?:root|entries)|\.bzr\/[\w/.-]{3,40})$/,
    content: [/^:(?:pserver|ext|local):|^D?\/[\w.-]{1,80}\/(?:\d|\/)|^parent_location|^Bazaar/m],
  },
];

export interface FoundDevelopmentFile {
  readonly sentence: string;
  readonly severity: Severity | undefined;
}

/** The kind of a project's file, by its name and content; null if it is not one. */
export function developmentFile(body: string, path: string): FoundDevelopmentFile | null {
  const name = path.toLowerCase();
  const file = developmentFiles.find(
    one => one.path.test(name) && one.content.every(pattern => pattern.test(body)),
  );
  return file === undefined ? null : { sentence: `It is ${file.what}.`, severity: file.severity };
}
