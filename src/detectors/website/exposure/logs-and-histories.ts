/** Lines of logs, by format. */
const logLines: readonly RegExp[] = [
  // Access logs (Apache's and nginx's combined format).
  /^\S{1,255} \S{1,60} \S{1,60} \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "/,
  // Apache's error log, PHP's, and those of PHP frameworks.
  /^\[[\w ,.:+/-]{8,60}\] (?:\[[\w:.-]{2,40}\] |[\w-]{1,30}\.(?:DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY): |PHP |WordPress database error)/,
  // A date, then a level: nginx, log4j, Python and many others.
  /^\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[^\n]{0,60}?\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|trace|debug|info|notice|warn|warning|error|crit|alert|emerg)\b/,
  /^(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)[\s:[\]-]{1,4}\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  // The format of syslog.
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,80} [\w./-]{1,60}(?:\[\d{1,9}\])?: /,
  // One JSON object a line.
  /^\{"(?:level|time|timestamp|ts|severity|@timestamp|msg|logger)":/,
  // Ruby on Rails.
  /^(?:[DIWEFA], \[\d{4}-\d\d-\d\dT|Started (?:GET|POST|PUT|PATCH|DELETE|HEAD) "\/)/,
  // Tomcat.
  /^\d{2}-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d(?:\.\d{3})? [A-Z]{4,7} /,
  // npm and Yarn.
  /^\d{1,6} (?:verbose|info|silly|timing|error|warn|http) /,
  // W3C extended log format (IIS).
  /^#(?:Software: Microsoft|Fields: date time|Fields: time )/,
];

/** Lines that are compared. */
const compared = 200;

/** Names of logs, whose first line may be followed by the trace of an error. */
const logName = /\.log(?:\.\d)?$|_log$|\.out$/i;

/**
 * Whether a text is a log: at least two lines, or its only one, have the format of one. Of a file that is named like a log, the first
 * one is enough.
 */
export function isLog(body: string, path: string): boolean {
  const lines = body.split('\n', compared).filter(line => line.trim() !== '');
  const count = lines.filter(line => logLines.some(pattern => pattern.test(line.slice(0, 600)))).length;
  if (logName.test(path) && logLines.some(pattern => pattern.test((lines[0] ?? '').slice(0, 600))))
    return true;
  return count >= Math.min(2, lines.length) && count > 0;
}

const commands = new Set(
  `apt apt-get awk bash cat cd certbot chmod chown clear composer cp crontab curl df dig docker docker-compose du echo exit
  export find free git grep gunzip head history htop id ifconfig ip java kill kubectl less ln ls lsof make man mkdir more
  mount mv mysql mysqldump nano netstat nginx node npm npx openssl passwd php pg_dump ping pip pip3 pm2 ps psql pwd python
  python3 rm rsync ruby scp screen sed service sftp sh source ssh ssh-keygen su sudo systemctl tail tar telnet tmux top touch
  ufw uname unzip uptime useradd vi vim w wget which whoami yarn yum zip ./manage.py`.split(/\s+/),
);

/** What people typed into programs, by their file: the start of most lines. */
const typed =
  /^(?:select|insert|update|delete|show|use|create|drop|alter|grant|set|describe|explain|truncate|\\[a-z?]|import|from|print|def|for|const|let|var|require|process|console|get|keys|auth|hgetall|config)\b/i;

/** Whether a text is the history of a shell or of a database's client. */
export function isHistory(body: string): boolean {
  if (/^_HiStOrY_V2_/.test(body)) return true;
  const lines = body.split('\n', compared).filter(line => line.trim() !== '' && !/^#\d{9,11}$/.test(line));
  if (lines.length < 2) return false;
  const isCommand = (line: string) => {
    const plain = line.replace(/^: \d{9,11}:\d{1,6};/, '').replace(/^(?:[A-Z_]{2,30}=\S{0,200} )/, '');
    return commands.has(plain.trim().split(/\s/, 1)[0]!) || typed.test(plain);
  };
  return lines.filter(isCommand).length * 2 >= lines.length;
}
