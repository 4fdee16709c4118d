import { type Static, Type } from 'typebox';
import { choice, closed, NullableTimestamp, nameText, opaqueText, Timestamp, text, Uuid } from '../values.ts';
import { passwordLength } from './password.ts';

/** What a person may do in an organization, each including the one before. */
export const roles = ['member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];
export const Role = choice(roles);

/**
 * Printable ASCII, a domain of other letters in its `xn--` form (RFC 5890): no two addresses look alike by characters of
 * other scripts. Compared without regard to case. None below `.invalid`, where nobody has one (RFC 6761, section 6.4): closed
 * accounts are there.
 */
export const emailPattern = '^(?!.*[@.][iI][nN][vV][aA][lL][iI][dD]\\.?$)[!-?A-~]+@[!-?A-~]+$';
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: emailPattern,
  description: 'An e-mail address. Nothing is sent to it: it is what people sign in with.',
});

/** A new password. Bounded, since Argon2id works in proportion to its length. */
const NewPassword = opaqueText(
  passwordLength.max,
  'At least 12 characters, and not one that is known or guessed.',
);
const PersonName = nameText(100);

/** Where a browser stands with us, from nobody known to all that its role asks for. */
const sessionStates = ['signed_out', 'second_factor', 'enrolment', 'signed_in'] as const;

const SignedInPerson = closed({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  has_password: Type.Boolean(),
  email_verified: Type.Boolean({
    description: 'Whether the OpenID provider has verified that the address is theirs.',
  }),
});

/** An invitation that waits for an answer. */
const OpenInvitation = closed({
  id: Uuid,
  organization_name: Type.String(),
  role: Role,
  invited_by: Type.Union([Type.String(), Type.Null()], { description: 'Null: the operator.' }),
  expires_at: Timestamp,
});
export type OpenInvitation = Static<typeof OpenInvitation>;

/** How the person can confirm that it is still them. */
const stepUpWays = ['second_factor', 'password', 'provider'] as const;
export type StepUpWay = (typeof stepUpWays)[number];

const OrganizationMembership = closed({ id: Uuid, name: Type.String(), role: Role });

/** Of whoever asks. Answered to everyone, signed in or not. */
export const Session = closed({
  state: choice(
    sessionStates,
    'second_factor: the password was right, a second factor is missing. enrolment: the role asks for a second factor, and none is set up yet.',
  ),
  /** To be sent as the header `x-csrf-token` with every request but GET. */
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
  /** Until when what asks for a step-up can be done without another. */
  stepped_up_until: NullableTimestamp,
  step_up_ways: Type.Array(choice(stepUpWays)),
  /** The name of the provider that people can sign in with, where the operator has set one up. */
  oidc_provider: Type.Union([Type.String(), Type.Null()]),
});
export type Session = Static<typeof Session>;

const TotpCode = Type.String({ maxLength: 6, pattern: '^[0-9]{6}$' });

/** A second factor that people type. */
const FactorCode = Type.Union([
  closed({ type: Type.Literal('totp'), code: TotpCode }),
  closed({ type: Type.Literal('backup_code'), code: Type.String({ minLength: 16, maxLength: 40 }) }),
]);
export type FactorCode = Static<typeof FactorCode>;

/** A number for which the SHA-256 of `<challenge>.<solution>` begins with as many zero bits as were asked for. */
const ProofOfWork = closed({
  challenge: text(200),
  solution: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});
export type ProofOfWork = Static<typeof ProofOfWork>;

export const SignIn = closed({
  // As it is stored, which may be from before addresses were kept to ASCII.
  email: text(254),
  password: opaqueText(passwordLength.max),
  proof_of_work: Type.Optional(ProofOfWork),
  /** Beside the password, where the answer before had `with_second_factor`. */
  second_factor: Type.Optional(FactorCode),
});

/** The password again, of who has no second factor. */
export const GivePassword = closed({ password: opaqueText(passwordLength.max) });

/** What a browser's `navigator.credentials` gives, as JSON (WebAuthn Level 3, section 5.1); the server looks into it. */
const PasskeyResponse = Type.Object(
  { id: Type.String({ maxLength: 2048, pattern: '^[A-Za-z0-9_-]+$', description: 'base64url' }) },
  { additionalProperties: true, description: 'RegistrationResponseJSON or AuthenticationResponseJSON' },
);

export const PasskeySignIn = closed({ response: PasskeyResponse });

/** A second factor, given once: to finish signing in, or to step up. */
export const SecondFactor = Type.Union([
  ...FactorCode.anyOf,
  closed({ type: Type.Literal('passkey'), response: PasskeyResponse }),
]);
export type SecondFactor = Static<typeof SecondFactor>;

/** PublicKeyCredentialRequestOptionsJSON or PublicKeyCredentialCreationOptionsJSON, for the browser's own functions. */
export const PasskeyOptions = closed({
  options: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
});

/** What the one-time link of the first start leads to. */
export const SetUp = closed({
  token: text(200),
  organization_name: nameText(200),
  name: PersonName,
  email: Email,
  password: NewPassword,
});
export const LinkToken = closed({ token: text(200) });
/** Whether a link can still be used, and for what. */
export const SetUpLink = closed({ expires_at: Timestamp });

export const ResetPassword = closed({ token: text(200), password: NewPassword });
export const PasswordReset = closed({ email: Type.String(), expires_at: Timestamp });

export const InvitationPreview = closed({
  organization_name: Type.String(),
  email: Type.String(),
  role: Role,
  invited_by: Type.Union([Type.String(), Type.Null()], { description: 'Null: the operator.' }),
  expires_at: Timestamp,
  has_account: Type.Boolean({
    description: 'Whoever has an account signs in, then accepts. Anyone else makes an account first.',
  }),
});
export type InvitationPreview = Static<typeof InvitationPreview>;

/** An account for the address of an invitation, which stays open until it is accepted. */
export const CreateAccount = closed({ token: text(200), name: PersonName, password: NewPassword });

/** By the token of a link, or by the id of an invitation that is listed for a verified address. */
export const AnswerInvitation = Type.Union([closed({ token: text(200) }), closed({ id: Uuid })]);

/** Whom the OpenID provider has just vouched for, while the person decides what comes of it. */
export const PendingIdentity = closed({
  purpose: choice(
    ['sign_in', 'link', 'step_up'],
    'sign_in: an account has the address, and nobody has linked it to the provider. link: asked for by who is signed in. step_up: to confirm who it is.',
  ),
  email: Type.Union([Type.String(), Type.Null()], {
    description: 'The address that the provider has verified.',
  }),
  claimable: Type.Boolean({
    description: 'Whether the account with this address never proved it, so that its owner may take it.',
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

/** The person's own page: what opens the account, and where it is open. */
export const AccountSecurity = closed({
  totp_set_up_at: NullableTimestamp,
  passkeys: Type.Array(Passkey),
  backup_codes_left: Type.Integer(),
  password_changed_at: NullableTimestamp,
  identities: Type.Array(LinkedIdentity),
  sessions: Type.Array(BrowserSession),
});
export type AccountSecurity = Static<typeof AccountSecurity>;

/** A TOTP secret that counts once a code of it was given (RFC 6238). Shown this once. */
export const TotpEnrolment = closed({
  secret: Type.String({ description: 'base32' }),
  uri: Type.String({ description: 'otpauth:// (Key URI format), for a QR code' }),
});
export const ConfirmTotp = closed({ code: TotpCode });
export const RegisterPasskey = closed({ name: text(100), response: PasskeyResponse });
export const RenamePasskey = closed({ name: text(100) });
/** The first second factor brings ten backup codes, shown this once; later ones bring none. */
export const Enrolled = closed({ backup_codes: Type.Union([Type.Array(Type.String()), Type.Null()]) });
export const BackupCodes = closed({ backup_codes: Type.Array(Type.String()) });
export const ChangePassword = closed({
  current_password: opaqueText(passwordLength.max),
  password: NewPassword,
});
export const ChangeName = closed({ name: PersonName });
export const AccountPasskeys = closed({ passkeys: Type.Array(Passkey) });
export const AccountSecondFactors = closed({ totp_set_up_at: NullableTimestamp });
/** How many sessions were ended. */
export const EndedSessions = closed({ ended: Type.Integer() });
