import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { beforeRoutes } from '../../remediation/headers.ts';

const methodDefinitions = 'https://www.rfc-editor.org/rfc/rfc9110.html#section-9.3';

export const methodsChecks = {
  trace: {
    id: 'methods.trace_enabled',
    title: 'TRACE is enabled',
    severity: 'low',
    why: 'TRACE returns every header of a request. An attacker who can trigger one may read headers that proxies add and cookies that scripts must not see.',
    fix: {
      advice: 'Disable TRACE in the web server and in the application behind it.',
      steps: [
        { place: 'apache.server', code: 'TraceEnable off' },
        {
          place: 'caddy.site',
          code: '@trace method TRACE\nrespond @trace 405',
          note: 'Caddy itself does not support TRACE, but passes it to applications.',
        },
        {
          place: 'express.app',
          code: beforeRoutes("if (req.method === 'TRACE') return res.sendStatus(405);"),
        },
        { place: 'haproxy.frontend', code: 'http-request deny deny_status 405 if METH_TRACE' },
        {
          place: 'tomcat.server-xml',
          code: '<Connector port="8080" protocol="HTTP/1.1" allowTrace="false" />',
          note: 'Set the attribute on your connector.',
        },
        {
          place: 'iis.web-config',
          code: [
            '<system.webServer>',
            '  <security>',
            '    <requestFiltering>',
            '      <verbs>',
            '        <add verb="TRACE" allowed="false" />',
            '      </verbs>',
            '    </requestFiltering>',
            '  </security>',
            '</system.webServer>',
          ].join('\n'),
        },
      ],
    },
    references: [`${methodDefinitions}.8`, 'https://cwe.mitre.org/data/definitions/693.html'],
    safeguards: [],
  },
  writing: {
    id: 'methods.write_methods_offered',
    title: 'WebDAV methods are enabled',
    severity: 'low',
    why: 'WebDAV methods store, move and delete files on the server. If any of them requires no password, anyone can change the site.',
    fix: {
      advice: 'Disable WebDAV if the site does not need it. Otherwise require a login for it.',
      steps: [
        {
          place: 'apache.host',
          code: '<Location "/">\n  Dav Off\n</Location>',
          note: 'Replaces the block with `Dav On`: a second block would not override it.',
        },
        {
          place: 'tomcat.web-xml',
          code: [
            '<servlet>',
            '  <servlet-name>default</servlet-name>',
            '  <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>',
            '  <init-param>',
            '    <param-name>readonly</param-name>',
            '    <param-value>true</param-value>',
            '  </init-param>',
            '  <load-on-startup>1</load-on-startup>',
            '</servlet>',
          ].join('\n'),
          note: 'Also remove `WebdavServlet` and its mapping.',
        },
        {
          place: 'iis.web-config',
          code: [
            '<system.webServer>',
            '  <modules>',
            '    <remove name="WebDAVModule" />',
            '  </modules>',
            '  <handlers>',
            '    <remove name="WebDAV" />',
            '  </handlers>',
            '</system.webServer>',
          ].join('\n'),
        },
      ],
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
