import { type Static, Type } from 'typebox';
import { choice, closed, NullableTimestamp, nameText, opaqueText, Timestamp, text, Uuid } from '../values.ts';
import { passwordLength } from './password.ts';

/** Each role includes the permissions of the one before it. */
export const roles = ['member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];
export const Role = choice(roles);

/**
 * Printable ASCII, with international domains in `xn--` form (RFC 5890), to exclude homographs. Compared case-insensitively.
 * `.invalid` (RFC 6761, section 6.4) is reserved for closed accounts.
 */
export const emailPattern = '^(?!.*[@.][iI][nN][vV][aA][lL][iI][dD]\\.?$)[!-?A-~]+@[!-?A-~]+$';
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: emailPattern,
  description: 'Email address used to sign in. No email is sent to it.',
});

const NewPassword = opaqueText(
  passwordLength.max,
  'At least 12 characters. Common and breached passwords are rejected.',
);
const PersonName = nameText(100);

/** How far sign-in has progressed. */
const sessionStates = ['signed_out', 'second_factor', 'enrolment', 'signed_in'] as const;

const SignedInPerson = closed({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  has_password: Type.Boolean(),
  email_verified: Type.Boolean({
    description: 'Whether the OpenID provider verified the email address.',
  }),
});

/** An invitation that the person can accept or decline. */
const OpenInvitation = closed({
  id: Uuid,
  organization_name: Type.String(),
  role: Role,
  invited_by: Type.Union([Type.String(), Type.Null()], { description: 'Null for the operator.' }),
  expires_at: Timestamp,
});
export type OpenInvitation = Static<typeof OpenInvitation>;

/** Ways to confirm the identity of the signed-in person. */
const stepUpWays = ['second_factor', 'password', 'provider'] as const;
export type StepUpWay = (typeof stepUpWays)[number];

const OrganizationMembership = closed({ id: Uuid, name: Type.String(), role: Role });

/** The current session. Also available to signed-out browsers. */
export const Session = closed({
  state: choice(
    sessionStates,
    'second_factor: the password was correct and the second factor is pending. enrolment: the role requires a second factor, and none is set up yet.',
  ),
  /** Required as the `x-csrf-token` header of every request except GET. */
  csrf_token: Type.Union([Type.String(), Type.Null()]),
  person: Type.Union([SignedInPerson, Type.Null()]),
  organizations: Type.Array(OrganizationMembership),
  second_factors: closed({
    totp: Type.Boolean(),
    passkeys: Type.Integer(),
    backup_codes_left: Type.Integer(),
  }),
  /** Invitations for the person's verified address. */
  invitations: Type.Array(OpenInvitation),
  /** When the current step-up expires. */
  stepped_up_until: NullableTimestamp,
  step_up_ways: Type.Array(choice(stepUpWays)),
  /** Display name of the OpenID provider; null if none is configured. */
  oidc_provider: Type.Union([Type.String(), Type.Null()]),
});
export type Session = Static<typeof Session>;

const TotpCode = Type.String({ maxLength: 6, pattern: '^[0-9]{6}$' });

/** A second factor that is typed. */
const FactorCode = Type.Union([
  closed({ type: Type.Literal('totp'), code: TotpCode }),
  closed({ type: Type.Literal('backup_code'), code: Type.String({ minLength: 16, maxLength: 40 }) }),
]);
export type FactorCode = Static<typeof FactorCode>;

/** `solution` is a number for which the SHA-256 of `<challenge>.<solution>` starts with the required number of zero bits. */
const ProofOfWork = closed({
  challenge: text(200),
  solution: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});
export type ProofOfWork = Static<typeof ProofOfWork>;

export const SignIn = closed({
  // Any text: older accounts may have an address outside ASCII.
  email: text(254),
  password: opaqueText(passwordLength.max),
  proof_of_work: Type.Optional(ProofOfWork),
  /** Required when the previous answer had `with_second_factor`. */
  second_factor: Type.Optional(FactorCode),
});

/** Step-up with the password, for people without a second factor. */
export const GivePassword = closed({ password: opaqueText(passwordLength.max) });

/** JSON result of the browser's `navigator.credentials` (WebAuthn Level 3, section 5.1), validated by the server. */
const PasskeyResponse = Type.Object(
  { id: Type.String({ maxLength: 2048, pattern: '^[A-Za-z0-9_-]+$', description: 'base64url' }) },
  { additionalProperties: true, description: 'RegistrationResponseJSON or AuthenticationResponseJSON' },
);

export const PasskeySignIn = closed({ response: PasskeyResponse });

/** A second factor, to complete sign-in or for a step-up. */
export const SecondFactor = Type.Union([
  ...FactorCode.anyOf,
  closed({ type: Type.Literal('passkey'), response: PasskeyResponse }),
]);
export type SecondFactor = Static<typeof SecondFactor>;

/** PublicKeyCredentialRequestOptionsJSON or PublicKeyCredentialCreationOptionsJSON. */
export const PasskeyOptions = closed({
  options: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
});

/** First-time setup through the one-time link. */
export const SetUp = closed({
  token: text(200),
  organization_name: nameText(200),
  name: PersonName,
  email: Email,
  password: NewPassword,
});
export const LinkToken = closed({ token: text(200) });
export const SetUpLink = closed({ expires_at: Timestamp });

export const ResetPassword = closed({ token: text(200), password: NewPassword });
export const PasswordReset = closed({ email: Type.String(), expires_at: Timestamp });

export const InvitationPreview = closed({
  organization_name: Type.String(),
  email: Type.String(),
  role: Role,
  invited_by: Type.Union([Type.String(), Type.Null()], { description: 'Null for the operator.' }),
  expires_at: Timestamp,
  has_account: Type.Boolean({
    description: 'Whether the email address has an account: sign in to accept. Otherwise create one first.',
  }),
});
export type InvitationPreview = Static<typeof InvitationPreview>;

/** Creates an account for the invited email address. The invitation must still be accepted. */
export const CreateAccount = closed({ token: text(200), name: PersonName, password: NewPassword });

/** By link token, or by ID for an invitation to a verified email address. */
export const AnswerInvitation = Type.Union([closed({ token: text(200) }), closed({ id: Uuid })]);

/** An identity that the OpenID provider authenticated, pending confirmation by the person. */
export const PendingIdentity = closed({
  purpose: choice(
    ['sign_in', 'link', 'step_up'],
    'sign_in: an account with this email address is not linked to the provider yet. link: requested by the signed-in person. step_up: confirms the identity of the signed-in person.',
  ),
  email: Type.Union([Type.String(), Type.Null()], {
    description: 'Email address verified by the provider.',
  }),
  claimable: Type.Boolean({
    description:
      'Whether the account with this email address is unverified, and can be claimed by the owner of the address.',
  }),
});
export type PendingIdentity = Static<typeof PendingIdentity>;

const LinkedIdentity = closed({
  id: Uuid,
  issuer: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  created_at: Timestamp,
});
export type LinkedIdentity = Static<typeof LinkedIdentity>;
export const LinkedIdentities = closed({ identities: Type.Array(LinkedIdentity) });

const Passkey = closed({
  id: Uuid,
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: NullableTimestamp,
});
export type Passkey = Static<typeof Passkey>;

export const BrowserSession = closed({
  id: Uuid,
  current: Type.Boolean(),
  address: Type.String(),
  user_agent: Type.String(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
});
export type BrowserSession = Static<typeof BrowserSession>;

/** Sign-in methods and sessions of an account. */
export const AccountSecurity = closed({
  totp_set_up_at: NullableTimestamp,
  passkeys: Type.Array(Passkey),
  backup_codes_left: Type.Integer(),
  password_changed_at: NullableTimestamp,
  identities: Type.Array(LinkedIdentity),
  sessions: Type.Array(BrowserSession),
});
export type AccountSecurity = Static<typeof AccountSecurity>;

/** A TOTP secret (RFC 6238), shown once and active after the first code is confirmed. */
export const TotpEnrolment = closed({
  secret: Type.String({ description: 'base32' }),
  uri: Type.String({ description: 'otpauth:// (Key URI format), for a QR code' }),
});
export const ConfirmTotp = closed({ code: TotpCode });
export const RegisterPasskey = closed({ name: text(100), response: PasskeyResponse });
export const RenamePasskey = closed({ name: text(100) });
/** The first second factor includes ten backup codes, shown once; null for later ones. */
export const Enrolled = closed({ backup_codes: Type.Union([Type.Array(Type.String()), Type.Null()]) });
export const BackupCodes = closed({ backup_codes: Type.Array(Type.String()) });
export const ChangePassword = closed({
  current_password: opaqueText(passwordLength.max),
  password: NewPassword,
});
export const ChangeName = closed({ name: PersonName });
export const AccountPasskeys = closed({ passkeys: Type.Array(Passkey) });
export const AccountSecondFactors = closed({ totp_set_up_at: NullableTimestamp });
/** Number of sessions that were ended. */
export const EndedSessions = closed({ ended: Type.Integer() });
