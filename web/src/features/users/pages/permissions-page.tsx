import { type Role, roles } from '@isotherm/contract/permissions.ts'
import { users } from '@isotherm/contract/users.ts'
import { Skeleton, Stack, Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useUrlSearch } from '../../../lib/url-search.ts'
import { Failure } from '../../../ui/failure.tsx'
import { PermissionMatrixForm } from '../parts/permission-matrix-form.tsx'
import { UsersPage } from '../parts/users-page.tsx'

/** A matrix per role; the role is in the URL (?role=manager). */
export function PermissionsPage() {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  const asked = useUrlSearch().search.role
  const role: Role = roles.find((name) => name === asked) ?? 'admin'
  const answer = useCall(users.roles)
  useEffect(() => {
    if (answer.error) console.error('The permissions of the roles could not be loaded.', answer.error)
  }, [answer.error])
  const matrix = answer.data?.find((found) => found.role === role)
  return (
    <UsersPage>
      <Stack gap="md">
        <Tabs
          value={role}
          onChange={(name) => void navigate({ to: '/users/permissions', search: { role: name ?? undefined } })}
          keepMounted={false}
        >
          <Tabs.List aria-label={t('permissions.roles')}>
            {roles.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`roles.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={role} pt="md">
            {answer.error && !answer.data && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
            {answer.isPending && <Skeleton height={340} role="status" aria-label={t('common:list.loading')} />}
            {matrix && <PermissionMatrixForm key={role} saved={matrix} />}
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </UsersPage>
  )
}
