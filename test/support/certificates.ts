import {
  type CertificateOptions,
  type MadeCertificate,
  makeCertificate,
} from '../../src/main/sample-site/certificate.ts';

export type TestCertificate = MadeCertificate;

export interface TestCertificateOptions extends Partial<CertificateOptions> {
  /** Days from now, negative for the past. */
  readonly fromDay?: number;
  readonly toDay?: number;
}

const day = 86_400_000;

/** A self-signed certificate for 127.0.0.1 and localhost, valid for 90 days, unless the options differ. */
export function testCertificate(options: TestCertificateOptions = {}): TestCertificate {
  const { fromDay = -1, toDay = 90, ...rest } = options;
  return makeCertificate({
    name: 'Test Site',
    covers: ['127.0.0.1', 'localhost'],
    validFrom: new Date(Date.now() + fromDay * day),
    validTo: new Date(Date.now() + toDay * day),
    ...rest,
  });
}

export interface TestAuthority {
  /** PEM of the root, for the collector to trust. */
  readonly root: string;
  readonly intermediate: TestCertificate;
  /** A leaf of this authority with the chain that a well-configured server sends. */
  issue(options?: TestCertificateOptions): TestCertificate & { readonly chain: string };
}

/** A root and an intermediate, like public authorities. */
export function testAuthority(): TestAuthority {
  const root = testCertificate({ name: 'Test Root', covers: [], authority: true, toDay: 3650 });
  const intermediate = testCertificate({
    name: 'Test Intermediate',
    covers: [],
    authority: true,
    issuer: root,
    toDay: 1000,
  });
  return {
    root: root.certificate,
    intermediate,
    issue: options => {
      const leaf = testCertificate({
        issuer: intermediate,
        issuerLocation: 'http://ca.test.example/intermediate.der',
        ...options,
      });
      return { ...leaf, chain: leaf.certificate + intermediate.certificate };
    },
  };
}
