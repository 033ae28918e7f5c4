import type { User } from '@isotherm/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'

const tones = { active: 'ok', invited: 'none', expired: 'warning', unverified: 'warning' } as const

/** Active, invited (no password yet), invited too long ago, or not verified. */
export function UserState({ user: { status, invitationEndsAt } }: { user: User }) {
  const { t } = useTranslation('users')
  const state = invitationEndsAt !== null && Date.parse(invitationEndsAt) <= Date.now() ? 'expired' : status
  return <StateDot tone={tones[state]} label={t(`status.${state}`)} hollow={status === 'invited'} />
}
