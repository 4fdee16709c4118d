import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const methodDefinitions = 'https://www.rfc-editor.org/rfc/rfc9110.html#section-9.3';

export const methodsChecks = {
  trace: {
    id: 'methods.trace_enabled',
    title: 'The server echoes requests (TRACE)',
    severity: 'low',
    why: 'TRACE gives back every header of a request, so that whoever can make it happen may read what proxies add on the way and what cookies should hide from scripts.',
    fix: {
      advice:
        'Switch TRACE off. Apache: `TraceEnable off`. Tomcat: leave `allowTrace="false"` on the Connector. IIS: deny the verb in Request Filtering. nginx and Caddy answer it only if a module or an application behind them does: refuse it there, nginx with `if ($request_method = TRACE) { return 405; }`.',
    },
    references: [`${methodDefinitions}.8`, 'https://cwe.mitre.org/data/definitions/693.html'],
    safeguards: [],
  },
  writing: {
    id: 'methods.write_methods_offered',
    title: 'The server offers methods that write files',
    severity: 'low',
    why: 'Methods that store, move or delete files at a web address are for WebDAV; on a website they let in whoever finds that nothing asks for a password.',
    fix: {
      advice:
        'Switch WebDAV off where the site does not need it, else demand a login for it. Apache: remove `Dav On` and use `<LimitExcept GET POST HEAD> Require all denied </LimitExcept>`. nginx: remove `dav_methods`. Tomcat: keep `readonly` true for the default servlet. IIS: uninstall WebDAV Publishing.',
    },
    references: [`${methodDefinitions}.4`, 'https://www.rfc-editor.org/rfc/rfc4918.html#section-20'],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'The server offers to store or delete files for anyone who sends the request.',
      ),
    ],
  },
} satisfies Record<string, Check>;
