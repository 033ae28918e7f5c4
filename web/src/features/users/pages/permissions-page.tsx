import { type Role, roles } from '@isotherm/contract/permissions.ts'
import { users } from '@isotherm/contract/users.ts'
import { Skeleton, Stack, UnstyledButton } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import tabClasses from '../../../ui/section-tabs.module.css'
import { PermissionMatrixForm } from '../parts/permission-matrix-form.tsx'
import { UsersPage } from '../parts/users-page.tsx'

/** A matrix per role; the role is in the URL (?role=manager). */
export function PermissionsPage() {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  const asked = useRouterState({ select: (state) => (state.location.search as { role?: string }).role })
  const role: Role = roles.find((name) => name === asked) ?? 'admin'
  const answer = useCall(users.roles)
  useEffect(() => {
    if (answer.error) console.error('The permissions of the roles could not be loaded.', answer.error)
  }, [answer.error])
  const matrix = answer.data?.find((found) => found.role === role)
  return (
    <UsersPage>
      <Stack gap="md">
        <div role="tablist" aria-label={t('permissions.roles')} className={tabClasses.tabs}>
          {roles.map((name) => (
            <UnstyledButton
              key={name}
              role="tab"
              id={`role-${name}`}
              aria-selected={name === role}
              aria-controls="role-matrix"
              aria-current={name === role ? 'page' : undefined}
              className={tabClasses.tab}
              onClick={() => void navigate({ to: '/users/permissions', search: { role: name } as never })}
            >
              {t(`roles.${name}`)}
            </UnstyledButton>
          ))}
        </div>
        <div role="tabpanel" id="role-matrix" aria-labelledby={`role-${role}`}>
          {answer.error && !answer.data && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
          {answer.isPending && <Skeleton height={340} role="status" aria-label={t('common:list.loading')} />}
          {matrix && <PermissionMatrixForm key={role} role={role} saved={matrix.modulePermissions} />}
        </div>
      </Stack>
    </UsersPage>
  )
}
