import { checkedFile, judgedBy, type Parser, versionOf } from './parser.ts';

const node: Parser = {
  name: 'Node.js',
  program: process.execPath,
  version: () => versionOf(process.execPath, ['--version']),
  refusals: snippets =>
    judgedBy(
      process.execPath,
      [
        ...['--no-warnings', '--experimental-vm-modules', '-e'],
        `const vm = require('node:vm');
         const judge = ({ code }) => {
           try { new vm.SourceTextModule(code); return null; } catch (error) { return String(error); }
         };
         console.log(JSON.stringify(JSON.parse(require('node:fs').readFileSync(0, 'utf8')).map(judge)));`,
      ],
      snippets,
    ),
};

const python: Parser = {
  name: 'Python',
  program: 'python3',
  version: () => versionOf('python3', ['--version']),
  refusals: snippets =>
    judgedBy(
      'python3',
      [
        '-c',
        `import ast, json, sys
def judge(code):
    try:
        ast.parse(code)
    except SyntaxError as error:
        return str(error)
print(json.dumps([judge(one["code"]) for one in json.load(sys.stdin)]))`,
      ],
      snippets,
    ),
};

const ruby: Parser = {
  name: 'Ruby',
  program: 'ruby',
  version: () => versionOf('ruby', ['--version']),
  refusals: snippets =>
    judgedBy(
      'ruby',
      [
        ...['-W0', '-rjson', '-e'],
        `judge = lambda do |code|
           RubyVM::InstructionSequence.compile(code)
           nil
         rescue SyntaxError => error
           error.message
         end
         puts JSON.generate(JSON.parse($stdin.read).map { |one| judge.call(one["code"]) })`,
      ],
      snippets,
    ),
};

/** Settings must be known to PHP, not only well-formed. */
const php: Parser = {
  name: 'PHP',
  program: 'php',
  version: () => versionOf('php', ['-n', '--version'], /PHP (\d+\.\d+\.\d+)/),
  refusals: snippets =>
    judgedBy(
      'php',
      [
        ...['-n', '-d', 'display_errors=stderr', '-r'],
        `function judge($one) {
           if ($one["place"] !== "php.ini") {
             $code = $one["code"];
             // Compiled, and not run.
             try { eval("return;" . (str_contains($code, "<?") ? "?>$code" : $code)); return null; }
             catch (ParseError $error) { return $error->getMessage(); }
           }
           $settings = @parse_ini_string($one["code"]);
           if ($settings === false) return error_get_last()["message"];
           $unknown = array_diff_key($settings, ini_get_all());
           return $unknown ? "unknown: " . implode(", ", array_keys($unknown)) : null;
         }
         echo json_encode(array_map("judge", json_decode(file_get_contents("php://stdin"), true)));`,
      ],
      snippets,
    ),
};

const bash: Parser = {
  name: 'bash',
  program: 'bash',
  version: () => versionOf('bash', ['--version']),
  refusals: (snippets, folder) =>
    Promise.all(
      snippets.map(({ code }, index) => checkedFile(folder, `${index}.sh`, code, 'bash', ['-n', 'FILE'])),
    ),
};

export const languages: readonly Parser[] = [node, python, ruby, php, bash];
