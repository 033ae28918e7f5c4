import { developer } from '@isotherm/contract/developer.ts'
import type { User } from '@isotherm/contract/users.ts'
import { Alert, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'

/** Says which API keys and endpoints of webhooks depend on an Admin who is about to be removed, or to have another role, and what becomes of them. */
export function KeysOfAdmin({ admin, become }: { admin: User; become: 'stopped' | 'narrowed' }) {
  const { t } = useTranslation('users')
  const seesKeys = useCan('admin') && admin.role === 'admin'
  const { keys = [], endpoints = [] } = useCall(developer.settings, undefined, { enabled: seesKeys }).data ?? {}
  const theirs = keys.filter((key) => key.state === 'active' && key.admin.id === admin.id).map(({ name }) => name)
  const told = endpoints.filter(({ privateBy }) => privateBy?.id === admin.id)
  const hosts = told.map(({ url }) => URL.parse(url)?.host ?? url)
  const said = (names: string[]) => ({ count: names.length, name: admin.fullname, names: names.join(', ') })
  if (theirs.length + hosts.length === 0) return null
  return (
    <Alert color="orange" role="alert">
      <Stack gap="xs">
        {theirs.length > 0 && <div>{t(`keys.${become}`, said(theirs))}</div>}
        {hosts.length > 0 && <div>{t('keys.private', said(hosts))}</div>}
      </Stack>
    </Alert>
  )
}
