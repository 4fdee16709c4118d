import { outdatedAfterDays } from '../../contract/dashboard/outdated.ts';
import { type PackFacts, shown } from './facts.ts';
import { countSources } from './report-scope.ts';
import { counted, day, orDash, sayMore } from './report-words.ts';
import type { ReportWriter } from './report-writer.ts';

export function writeOpen(writer: ReportWriter, { open, outOfScope }: PackFacts): void {
  writer.heading(1, 'Open findings');
  if (open.length === 0) {
    const { inScope, notAssessed } = countSources(outOfScope);
    const lacking =
      notAssessed === 0
        ? ''
        : ` ${notAssessed} of ${counted(inScope, 'source')} not assessed in the last ${outdatedAfterDays} days.`;
    writer.paragraph(
      inScope === notAssessed
        ? `No source in scope was assessed in the last ${outdatedAfterDays} days, so findings could not be detected.`
        : `No open findings above informational on sources in scope.${lacking}`,
    );
  }
  const severities = [...new Set(open.map(({ severity }) => severity))];
  for (const severity of severities) {
    const risks = open.filter(risk => risk.severity === severity);
    const total = risks.reduce((sum, { findings }) => sum + findings, 0);
    writer.heading(2, `${severity.charAt(0).toUpperCase()}${severity.slice(1)}: ${total}`);
    for (const risk of risks) {
      writer.heading(3, risk.title);
      const howMany = `${counted(risk.findings, 'finding')} on ${counted(risk.sources, 'source')}`;
      writer.paragraph(`${risk.category} · ${howMany}`, 'muted');
      writer.paragraph(`Fix: ${risk.remediation.replaceAll('`', '')}`);
      writer.table(
        { Source: 3, Details: 9 },
        risk.places.map(({ source, seen }) => [source, seen]),
      );
      sayMore(writer, risk.findings > risk.places.length, 'json/findings.jsonl');
    }
  }
}

export function writeDecided(writer: ReportWriter, { decided }: PackFacts): void {
  writer.heading(1, 'Accepted risks and false positives');
  if (decided.length === 0) {
    writer.paragraph('No accepted risks or false positives on sources in scope.');
    return;
  }
  writer.table(
    { Finding: 4, Severity: 1.7, Source: 2.6, Decision: 2.6, Reason: 5, 'Triaged by': 2.6 },
    decided
      .slice(0, shown.decisions)
      .map(risk => [
        risk.title,
        risk.severity,
        risk.source,
        risk.accepted_until ? `Accepted until ${day(risk.accepted_until)}` : 'False positive',
        orDash(risk.reason),
        `${orDash(risk.decided_by)}, ${day(risk.decided_at)}`,
      ]),
  );
  sayMore(writer, decided.length > shown.decisions, 'json/decisions.json');
}
