import type { MarkupField, MarkupForm } from '../markup-attributes.ts';

/** Names of values about a person's health or identity, without separators, in lowercase. */
const sensitiveNames = new Set(
  `patient patientid patientno patientnumber patientname patientkey patientuuid patientguid patientemail patientdob
   patientmrn patientref mrn medicalrecord medicalrecordnumber medicalrecordno medicalrecordid healthrecordid ehrid
   ssn socialsecurity socialsecuritynumber socialsecurityno nhsnumber nhsno medicareid medicarenumber medicaidid
   medicaidnumber insuranceid insurancenumber insurancememberid healthplanid healthinsurancenumber subscriberid
   dob dateofbirth birthdate birthday patientbirthdate encounterid
   diagnosis diagnoses diagnosiscode diagnosisid icd icd10 icdcode icd10code medicalcondition healthcondition
   medication medications medicationid medicationname prescription prescriptionid rxnumber
   symptom symptoms hiv hivstatus allergy allergies labresult labresults labresultid
   patientennummer patientenid patientenname versichertennummer krankenversicherungsnummer krankenkassennummer
   sozialversicherungsnummer ahvnummer svnr geburtsdatum diagnose diagnosecode medikament medikamente
   numeropatient idpatient numerosecuritesociale numerodesecuritesociale datenaissance datedenaissance
   fechanacimiento fechadenacimiento numeropaciente idpaciente`.split(/\s+/),
);

/**
 * The health or identity term in the name of a parameter or field, in canonical form; null if the name is not exactly such a term.
 * Namespaces are ignored: `filter[patient_id]` and `patientId` are `patientid`; `patientportal` is null.
 */
export function sensitiveName(name: string): string | null {
  const parts = name.toLowerCase().split(/[.:[\]]/);
  for (const part of parts) {
    const word = part.replace(/[^a-z0-9]/g, '');
    if (sensitiveNames.has(word)) return word;
  }
  return null;
}

/** Values that select a view rather than identify a person. */
const viewValues = new Set(['', '0', '1', 'true', 'false', 'yes', 'no', 'new', 'existing', 'all', 'any']);

/** The health and identity terms among a URL's parameters with a value. */
export function sensitiveParameters(url: string): string[] {
  if (!/^https?:/.test(url)) return [];
  const names = [...new URL(url).searchParams]
    .filter(([, value]) => !viewValues.has(value.toLowerCase()))
    .map(([name]) => sensitiveName(name));
  return [...new Set(names.filter(name => name !== null))];
}

/** Field names that identify a person by themselves. */
const strong =
  /^(?:patientssn|patientmrn|svnr)$|^(?:ssn|mrn|insurance|health|social|sozial|nhs|subscriber|ehr|versicherten|kranken|ahv|numero)|^medic(?:al|are|aid)/;
const birth =
  /^(?:dob|dateofbirth|birthdate|birthday|patientdob|patientbirthdate|geburtsdatum|date(?:de)?naissance|fecha(?:de)?nacimiento)$/;

type Aspect = 'strong' | 'birth' | 'name' | 'email' | 'phone';

/** Whether a form collects identity data: an identifier, a date of birth with a name or email address, or email and phone. */
export function collectsIdentity({ fields }: MarkupForm): boolean {
  const found = new Set(fields.map(aspectOf));
  const has = (aspect: Aspect) => found.has(aspect);
  return has('strong') || (has('birth') && (has('name') || has('email'))) || (has('email') && has('phone'));
}

/** Whether a form collects personal data: a name, an address to reach someone, or a password. */
export function collectsPersonalData({ fields }: MarkupForm): boolean {
  return fields.some(field => field.type === 'password' || aspectOf(field) !== null);
}

const invisible = new Set(['hidden', 'submit', 'button', 'reset', 'image', 'search', 'checkbox', 'radio']);

function aspectOf({ name, type, autocomplete }: MarkupField): Aspect | null {
  if (invisible.has(type)) return null;
  const sensitive = sensitiveName(name);
  if (sensitive !== null && strong.test(sensitive)) return 'strong';
  const says = (...tokens: string[]) => tokens.some(token => autocomplete.includes(token));
  if ((sensitive !== null && birth.test(sensitive)) || says('bday', 'bday-year')) return 'birth';
  const words = wordsOf(name);
  if (type === 'email' || says('email') || words.includes('email')) return 'email';
  if (
    type === 'tel' ||
    says('tel', 'tel-national') ||
    words.some(word => /^(?:tel|telefon|telephone|telefono|phone|mobile|handy)$/.test(word))
  ) {
    return 'phone';
  }
  const isName =
    says('name', 'given-name', 'family-name') ||
    words.some(word =>
      /^(?:firstname|lastname|fullname|fname|lname|surname|patientname|vorname|nachname|nom|prenom|nombre|apellidos?)$/.test(
        word,
      ),
    ) ||
    /(?:first|last|full|given|family|patient|your) name$/.test(words.join(' ')) ||
    words.join(' ') === 'name';
  return isName ? 'name' : null;
}

/** `contact[firstName]` is `contact first name`, in lowercase. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '');
}
