import type { User } from '@isotherm/contract/users.ts'
import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { UserState } from './user-state.tsx'

/** A team member on a phone. */
export function UserCard({ user }: { user: User }) {
  const { t } = useTranslation('users')
  return (
    <>
      <Text component="span" fw={600}>
        {user.fullname}
      </Text>
      <Text component="span" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {user.email}
      </Text>
      <Group component="span" gap="md">
        <span>{t(`roles.${user.role}`)}</span>
        <UserState user={user} />
      </Group>
    </>
  )
}
