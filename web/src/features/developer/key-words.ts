import type { ApiKey, KeyState } from '@isotherm/contract/developer.ts'
import { actions, modules } from '@isotherm/contract/permissions.ts'
import type { TFunction } from 'i18next'
import type { Tone } from '../../ui/state-dot.tsx'

export const keyTones: Record<KeyState, Tone> = { active: 'ok', stopped: 'warning', expired: 'none', revoked: 'none' }

/** A key by its prefix and last signs, as people find it in their configuration. */
export const shownHint = ({ hint }: Pick<ApiKey, 'hint'>): string => `isokey_…${hint}`

/** The rights of a key in words: "Devices: View, Export". `t` has the texts of users and of this screen. */
export function permissionsInWords({ permissions }: Pick<ApiKey, 'permissions'>, t: TFunction): string[] {
  return modules.flatMap((module) => {
    const granted = actions.filter((action) => permissions[module][action])
    if (granted.length === 0) return []
    const words = granted.map((action) => t(`users:actions.${action}`)).join(', ')
    return [t('developer:keys.rights', { module: t(`users:modules.${module}`), actions: words })]
  })
}

export const isOver = ({ state }: Pick<ApiKey, 'state'>): boolean => state === 'revoked' || state === 'expired'
