import { secretsChecks } from '../checks.ts';
import { onlyNear, type SecretRule } from '../rule.ts';
import { rulesOf } from '../shape.ts';
import { encodedObject, hasGithubChecksum, hasGitlabChecksum, isPypiMacaroon } from '../token-checksum.ts';

const critical = { severity: 'critical' } as const;
const medium = { severity: 'medium' } as const;

const withGithubChecksum = {
  ...critical,
  accepts: (match: RegExpExecArray) => hasGithubChecksum(match[0].slice(4)),
};

/** Routable tokens of GitLab have a checksum, older ones have none. */
const withGitlabChecksum = {
  ...critical,
  accepts: ({ 0: token, input, index }: RegExpExecArray) => {
    if (token.includes('.')) return hasGitlabChecksum(token);
    const end = index + token.length;
    return !/^\.(?:[\da-z]{2}\.)?[\da-z]{9}(?!\w)/.test(input.slice(end, end + 14));
  },
};

/** Source code, packages, builds and deployments. Formats from the services' documentation and public scanners' rules. */
export const codeRules: readonly SecretRule[] = rulesOf(secretsChecks.apiToken, [
  [
    'github-token',
    'a GitHub token',
    ['(ghp_|gho_|ghu_|ghs_|ghr_){36 b62}', 'ghr_{76 b62}'],
    withGithubChecksum,
  ],
  ['github-fine-grained-token', 'a GitHub token', 'github_pat_{22 b62}_{59 b62}', critical],
  [
    'gitlab-token',
    'a GitLab token',
    [
      '(glpat-|glrt-|gldt-|glptt-|glcbt-|glsoat-){27-300 b64u}.{9 lower}',
      '(glpat-|glrt-|gldt-|glptt-|glcbt-|glsoat-){27-300 b64u}.{2 lower}.{9 lower}',
      '(glpat-|glptt-|gldt-|glrt-|glsoat-|glcbt-){20-300 b64u}',
    ],
    withGitlabChecksum,
  ],
  ['gitlab-runner-token', 'a GitLab runner registration token', 'GR1348941{20 b64u}', critical],
  ['gitlab-oauth-secret', 'the secret of a GitLab application', 'gloas-{64 b64u}'],
  ['gitlab-agent-token', 'a GitLab agent token for Kubernetes', 'glagent-{50 b64u}', critical],
  ['gitlab-feed-token', 'a GitLab feed token', 'glft-{20 b64u}', medium],
  ['gitlab-mail-token', 'a GitLab incoming mail token', 'glimt-{25 b64u}', medium],
  ['gitlab-feature-flag-token', 'a GitLab feature flag token', 'glffct-{20 b64u}', medium],
  // Publishing a package runs code on the machine of everyone who installs it.
  ['npm-token', 'an npm token', 'npm_{36 b62}', withGithubChecksum],
  [
    'pypi-token',
    'a PyPI token',
    'pypi-AgE{60-300 b64u}',
    { ...critical, accepts: match => isPypiMacaroon(match[0].slice(5)) },
  ],
  ['rubygems-token', 'a RubyGems key', 'rubygems_{48 hex}'],
  ['crates-token', 'a crates.io token', 'cio{32 b62}', critical],
  ['nuget-key', 'a NuGet key', 'oy2{43 lower}', critical],
  ['clojars-token', 'a Clojars deploy token', 'CLOJARS_{60 lower}', critical],
  ['packagist-token', 'a Packagist token', 'packagist_(ack|ors|ort|oru|ous|out|uut){68 hex}', critical],
  ['packagist-token', 'a Packagist token', 'packagist_(ack|ors|ort|oru|ous|out|uut)_{68 hex}', critical],
  ['docker-token', 'a Docker Hub token', ['dckr_pat_{27 b64u}', 'dckr_oat_{32 b64u}']],
  ['artifactory-key', 'a JFrog Artifactory key', 'AKCp{69 b62}', critical],
  [
    'artifactory-reference-token',
    'a JFrog Artifactory reference token',
    // Base64 of `reftkn:`.
    'cmVmdGtu{56 b62}',
    critical,
  ],
  ['bitbucket-data-center-token', 'a Bitbucket Data Center token', 'BBDC-{40-50 b64}', critical],
  ['bitbucket-app-password', 'a Bitbucket app password', 'ATBB{24 b62}{8 HEX}', critical],
  ['bitbucket-repository-token', 'a Bitbucket access token', 'ATCTT3xFfG{40-300 b64}={8 HEX}', critical],
  ['atlassian-token', 'an Atlassian token', ['ATATT3{170-250 b64u}={8 HEX}', 'ATATT3{150-177 b64u}={8 HEX}']],
  ['azure-devops-token', 'an Azure DevOps token', '{76 b62}AZDO{4 b62}', critical],
  ['trello-token', 'a Trello token', 'ATTA{64 hex}{8 HEX}'],
  ['buildkite-token', 'a Buildkite token', ['bkua_{40 lower}'], critical],
  [
    'circleci-token',
    'a CircleCI token',
    ['CCIPAT_{22 b62}_{40 Hex}', 'CCIPRJ_{22 b62}_{40 Hex}'],
    {
      ...critical,
      // Addresses of status badges contain a token that only reads the status.
      accepts: ({ input, index }) => !/circle-token=$/.test(input.slice(Math.max(0, index - 13), index)),
    },
  ],
  ['harness-token', 'a Harness token', '(pat.|sat.){22 b64u}.{24 b62}.{20 b62}', critical],
  ['octopus-key', 'an Octopus Deploy key', 'API-{26 upper}', critical],
  ['terraform-token', 'a Terraform token', '{14 b62}.atlasv1.{60-70 token}', critical],
  ['digitalocean-token', 'a DigitalOcean token', '(dop_v1_|doo_v1_|dor_v1_){64 hex}', critical],
  ['pulumi-token', 'a Pulumi token', 'pul-{40 lower}', critical],
  [
    'infracost-key',
    'an Infracost key',
    'ico-{32 b62}',
    // Names of icons end with a hash: `menu.ico-7a38…`.
    { accepts: match => /[g-z]/i.test(match[0].slice(4)) },
  ],
  ['prefect-key', 'a Prefect key', '(pnu_|pnb_){36 b62}'],
  ['heroku-key', 'a Heroku API key', ['HRKU-AA{58 b64u}', 'HRKU-{uuid}'], critical],
  ['netlify-token', 'a Netlify token', '(nfp_|nfc_|nfo_|nfu_){36-60 b62}', critical],
  ['vercel-token', 'a Vercel token', '(vcp_|vci_|vca_|vcr_){40-80 b62}', critical],
  ['vercel-ai-gateway-key', 'a Vercel AI Gateway key', 'vck_{40-80 b62}'],
  ['vercel-blob-token', 'a Vercel Blob token', 'vercel_blob_rw_{16 b62}_{28-40 b62}'],
  ['fly-token', 'a Fly.io token', ['fo1_{43 b64u}', '(fm1a_|fm1r_|fm2_){100-900 b64}'], critical],
  ['scalingo-token', 'a Scalingo token', 'tk-us-{48 b64u}', critical],
  ['render-key', 'a Render key', 'rnd_{28-36 b62}', critical],
  ['deno-deploy-token', 'a Deno Deploy token', '(ddp_|ddw_){36 b62}', critical],
  ['openshift-token', 'an OpenShift token', 'sha256~{43 b64u}', critical],
  ['sonar-token', 'a SonarQube token', ['(squ_|sqp_|sqa_){40 b64u}', 'sqco_{59 b62}']],
  [
    'sourcegraph-token',
    'a Sourcegraph token',
    ['sgp_{40 Hex}', 'sgp_{16 Hex}_{40 Hex}', 'sgp_local_{40 Hex}', 'slk_{64 hex}'],
  ],
  ['snyk-token', 'a Snyk token', '(snyk_uat.|snyk_sat.){8 hex}.{30-300 token}'],
  ['stackhawk-key', 'a StackHawk key', 'hawk.{20 b64u}.{20 b64u}'],
  ['dependency-track-key', 'a Dependency-Track key', ['odt_{32-36 b62}', 'odt_{8 b62}_{32 b62}']],
  ['ionic-token', 'an Ionic token', 'ion_{42 b62}'],
  ['socket-token', 'a Socket token', 'sktsec_{40-80 b64u}_api'],
  ['nightfall-key', 'a Nightfall key', 'NF-{32 b62}'],
  ['endor-key', 'an Endor Labs key', 'endr+{16 b62}'],
  ['trufflehog-key', 'a TruffleHog key', 'thog-secret-{32 hex}'],
  ['launchdarkly-key', 'a LaunchDarkly server key', 'sdk-{uuid}'],
  ['launchdarkly-key', 'a LaunchDarkly access token', 'api-{uuid}', onlyNear(/launch_?darkly/i)],
  ['readme-key', 'a ReadMe key', 'rdme_{70 lower}'],
  ['gitbook-key', 'a GitBook token', 'gb_api_{40 b62}'],
  ['postman-key', 'a Postman key', ['PMAK-{24 hex}-{34 hex}', 'PMAT-{26 upper}']],
  ['contentful-token', 'a Contentful management token', 'CFPAT-{43 b64u}'],
  ['storyblok-token', 'a Storyblok personal token', '{22 b62}tt-{6 digit}-{20 b64u}'],
  ['builder-key', 'a Builder.io private key', 'bpk-{32 hex}'],
  ['settlemint-token', 'a SettleMint token', '(sm_aat_|sm_pat_|sm_sat_){16 b62}'],
  ['intra42-secret', 'a 42 intra client secret', '(s-s4t2ud-|s-s4t2af-){64 hex}'],
  [
    'authress-key',
    'an Authress service client key',
    ['(sc_|ext_|scauth_|authress_){5-30 lower}.{4-6 lower}.(acc_|acc-){10-32 b64u}.{30-120 token}'],
  ],
  ['sentry-token', 'a Sentry token', ['(sntryu_|sntrya_){64 hex}']],
  [
    'sentry-organization-token',
    'a Sentry organization token',
    'sntrys_{60-500 b64}_{43 b64}',
    {
      accepts: match => {
        const payload = /^sntrys_([\w+/-]+=*)_/.exec(match[0])?.[1] ?? '';
        return typeof encodedObject(payload)?.org === 'string';
      },
    },
  ],
]);
