import type { Severity } from '../../../contract/severity.ts';
import type { Check } from '../../detector.ts';

export type Variables = Readonly<Record<string, string>>;

/** What is wrong with a setting's value. */
export interface SettingRule {
  readonly check: Check;
  readonly setting: string;
  /** Whether the value, as the server spells it, is a flaw. */
  readonly isFlaw: (value: string, variables: Variables) => boolean;
  /** Why, as the end of a sentence about the setting. */
  readonly because: string;
  readonly severity?: Severity;
  /** The highest severity while other machines cannot reach the server, if it matters over a network. */
  readonly unreachable?: Severity;
  /** A managed service decides it. */
  readonly ofService?: true;
}

export const isOn = (value: string | undefined) =>
  value !== undefined && ['ON', '1', 'YES', 'FORCE'].includes(value.toUpperCase());
export const isOff = (value: string | undefined) =>
  value !== undefined && ['OFF', '0', 'NO'].includes(value.toUpperCase());
export const on = (value: string) => isOn(value);
export const off = (value: string) => isOff(value);
export const below = (least: number) => (value: string) => value !== '' && Number(value) < least;
export const above = (most: number) => (value: string) => Number(value) > most;
export const rule = (
  check: Check,
  setting: string,
  isFlaw: SettingRule['isFlaw'],
  because: string,
  more: Pick<SettingRule, 'severity' | 'unreachable' | 'ofService'> = {},
): SettingRule => ({ check, setting, isFlaw, because, ...more });
export const info = { severity: 'info' } as const;
export const ofService = { ofService: true } as const;
