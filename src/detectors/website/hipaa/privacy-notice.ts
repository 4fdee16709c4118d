import type { Markup } from '../markup.ts';

/**
 * Words, or prefixes of words, for privacy or data protection in common languages, as in the text or URL of
 * links to a privacy notice. Accents are ignored because URLs omit them.
 */
const words = [
  ...['privacy', 'hipaa', 'data protection', 'dataprotection', 'datenschutz', 'datenschutzerklärung'],
  ...['gdpr', 'dsgvo', 'rgpd', 'lgpd', 'protection des données', 'gegevensbescherming', 'personoplysning'],
  ...['confidentialit', 'vie privée', 'données personnelles', 'privacidad', 'privacitat'],
  ...['protección de datos', 'proteção de dados', 'riservatezza', 'informativa sul'],
  ...['integritetspol', 'personuppgift', 'personvern', 'privatliv', 'persondata', 'tietosuoja'],
  ...['prywatnoś', 'osobních údajů', 'osobných údajov', 'soukromí', 'súkromi', 'adatvédel', 'adatkezel'],
  ...['privatnost', 'zasebnost', 'privatum', 'privaatsus', 'andmekaitse', 'gizlilik', 'kvkk', 'kişisel veri'],
  ...['конфиденциальн', 'персональн', 'приватн', 'поверителност', 'конфіденційн'],
  ...['απορρήτ', 'απόρρητ', 'προσωπικών δεδομένων', 'פרטיות', 'خصوصي', 'गोपनीयता', 'ความเป็นส่วนตัว'],
  ...['隐私', '隱私', '個人情報', 'プライバシー', '개인정보', 'quyền riêng tư', 'privasi'],
].map(word => plain(word).trim());

/** Whether any link of the page goes to a privacy notice, by its text or URL. */
export function linksPrivacyNotice({ links }: Markup): boolean {
  return links.some(({ url, text }) => {
    const said = ` ${plain(text)} ${plain(readable(url))} `;
    return words.some(word => said.includes(word));
  });
}

function readable(url: string): string {
  const { pathname, hash } = new URL(url);
  try {
    return decodeURIComponent(pathname + hash);
  } catch {
    return pathname + hash;
  }
}

/** Lowercase, without accents, with one space between words. */
function plain(text: string): string {
  return text
    .slice(0, 300)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
}
