/**
 * Whether a header field shows that a bot protection service answered instead of the site: Cloudflare, Vercel,
 * SiteGround, AWS WAF.
 */
export function isChallengeHeader([name, value]: readonly [name: string, value: string]): boolean {
  return (
    /^(?:cf|x-vercel)-mitigated$/.test(name) ||
    name === 'sg-captcha' ||
    (name === 'x-amzn-waf-action' && value !== 'allow')
  );
}
