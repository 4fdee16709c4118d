import type { Api } from '../../http/api.ts';
import type { DashboardServices } from '../services.ts';
import { addPasskeyRoute } from './account/add-passkey.ts';
import { beginPasskeyRoute } from './account/begin-passkey.ts';
import { beginTotpRoute } from './account/begin-totp.ts';
import { changePasswordRoute } from './account/change-password.ts';
import { confirmTotpRoute } from './account/confirm-totp.ts';
import { endOtherSessionsRoute } from './account/end-other-sessions.ts';
import { endSessionRoute } from './account/end-session.ts';
import { readSecurityRoute } from './account/read-security.ts';
import { removePasskeyRoute } from './account/remove-passkey.ts';
import { removeTotpRoute } from './account/remove-totp.ts';
import { renameAccountRoute } from './account/rename.ts';
import { renamePasskeyRoute } from './account/rename-passkey.ts';
import { renewBackupCodesRoute } from './account/renew-backup-codes.ts';
import { acceptInvitationRoute } from './invitations/accept.ts';
import { previewInvitationRoute } from './invitations/preview.ts';
import { expireKeyRoute } from './keys/expire.ts';
import { listKeysRoute } from './keys/list.ts';
import { mintKeyRoute } from './keys/mint.ts';
import { revokeKeyRoute } from './keys/revoke.ts';
import { changeRoleRoute } from './people/change-role.ts';
import { invitePersonRoute } from './people/invite.ts';
import { leaveOrganizationRoute } from './people/leave.ts';
import { listPeopleRoute } from './people/list.ts';
import { removePersonRoute } from './people/remove.ts';
import { revokeInvitationRoute } from './people/revoke-invitation.ts';
import { askPasskeyRoute } from './session/ask-passkey.ts';
import { giveSecondFactorRoute } from './session/give-second-factor.ts';
import { previewPasswordResetRoute } from './session/preview-password-reset.ts';
import { readSessionRoute } from './session/read.ts';
import { resetPasswordRoute } from './session/reset-password.ts';
import { signInRoute } from './session/sign-in.ts';
import { signOutRoute } from './session/sign-out.ts';
import { completeSetUpRoute } from './set-up/complete.ts';
import { previewSetUpRoute } from './set-up/preview.ts';

/** Every route of the dashboard, area by area. */
export function addRoutes(app: Api, services: DashboardServices): void {
  // Signing in.
  readSessionRoute(app, services);
  signInRoute(app, services);
  giveSecondFactorRoute(app, services);
  askPasskeyRoute(app, services);
  signOutRoute(app, services);
  previewPasswordResetRoute(app, services);
  resetPasswordRoute(app, services);
  previewSetUpRoute(app, services);
  completeSetUpRoute(app, services);
  previewInvitationRoute(app, services);
  acceptInvitationRoute(app, services);
  // One's own account.
  readSecurityRoute(app, services);
  renameAccountRoute(app, services);
  beginTotpRoute(app, services);
  confirmTotpRoute(app, services);
  removeTotpRoute(app, services);
  beginPasskeyRoute(app, services);
  addPasskeyRoute(app, services);
  renamePasskeyRoute(app, services);
  removePasskeyRoute(app, services);
  renewBackupCodesRoute(app, services);
  changePasswordRoute(app, services);
  endSessionRoute(app, services);
  endOtherSessionsRoute(app, services);
  // People of an organization, and its keys.
  listPeopleRoute(app, services);
  invitePersonRoute(app, services);
  revokeInvitationRoute(app, services);
  changeRoleRoute(app, services);
  removePersonRoute(app, services);
  leaveOrganizationRoute(app, services);
  listKeysRoute(app);
  mintKeyRoute(app);
  revokeKeyRoute(app);
  expireKeyRoute(app);
}
