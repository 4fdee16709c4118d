/** Whether a header field says that a service against robots answers in place of the site: Cloudflare, Vercel, SiteGround, AWS WAF. */
export function isChallengeHeader([name, value]: readonly [name: string, value: string]): boolean {
  return (
    /^(?:cf|x-vercel)-mitigated$/.test(name) ||
    name === 'sg-captcha' ||
    (name === 'x-amzn-waf-action' && value !== 'allow')
  );
}
