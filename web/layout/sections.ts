import {
  type Icon,
  IconAccessPoint,
  IconActivity,
  IconAlertTriangle,
  IconBell,
  IconCalendarDue,
  IconChecklist,
  IconFileCertificate,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMessage,
  IconRadar,
  IconServer,
  IconShield,
  IconShieldLock,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';
import type { Section } from '../paths.ts';

interface Entry {
  readonly section: Section;
  readonly label: string;
  readonly icon: Icon;
  /** For admins and owners. */
  readonly operatorsOnly?: boolean;
}

/** The navigation by group. */
export const navigation: readonly { readonly label: string; readonly entries: readonly Entry[] }[] = [
  {
    label: 'Posture',
    entries: [
      { section: 'overview', label: 'Overview', icon: IconLayoutDashboard },
      { section: 'findings', label: 'Findings', icon: IconAlertTriangle },
      { section: 'systems', label: 'Systems', icon: IconServer },
      { section: 'sources', label: 'Sources', icon: IconWorld },
      { section: 'probes', label: 'Probes', icon: IconAccessPoint },
      { section: 'scans', label: 'Scans', icon: IconRadar },
      { section: 'events', label: 'Events', icon: IconActivity },
      { section: 'shield', label: 'Shield', icon: IconShield },
    ],
  },
  {
    label: 'Assurance',
    entries: [
      { section: 'controls', label: 'Controls', icon: IconChecklist },
      { section: 'evidence', label: 'Evidence', icon: IconFileCertificate },
      { section: 'audit', label: 'Audit log', icon: IconHistory, operatorsOnly: true },
    ],
  },
  {
    label: 'Settings',
    entries: [
      { section: 'settings/keys', label: 'API keys', icon: IconKey, operatorsOnly: true },
      { section: 'settings/people', label: 'People', icon: IconUsers },
      { section: 'settings/due-dates', label: 'Due dates', icon: IconCalendarDue },
      { section: 'settings/notifications', label: 'Notifications', icon: IconBell },
      { section: 'settings/channels', label: 'Chat channels', icon: IconMessage, operatorsOnly: true },
      { section: 'settings/security', label: 'Security', icon: IconShieldLock },
    ],
  },
];

/** The sections at the bottom of a phone. */
export const phoneSections: readonly Section[] = ['overview', 'findings', 'sources', 'scans'];
