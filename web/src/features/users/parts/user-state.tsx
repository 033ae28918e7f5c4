import type { User } from '@isotherm/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'

const tones = { active: 'ok', invited: 'none', unverified: 'warning' } as const

/** Active, invited (no password yet) or not verified. */
export function UserState({ user }: { user: User }) {
  const { t } = useTranslation('users')
  return <StateDot tone={tones[user.status]} label={t(`status.${user.status}`)} hollow={user.status === 'invited'} />
}
