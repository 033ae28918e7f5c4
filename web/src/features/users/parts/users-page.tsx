import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { Page } from '../../../ui/page.tsx'
import { type SectionTab, SectionTabs } from '../../../ui/section-tabs.tsx'

/** The frame of the /users screens; the Permissions tab is for those who may edit. */
export function UsersPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('users')
  const mayEdit = useCan('users.addOrEdit')
  const tabs: SectionTab[] = [
    { to: '/users/all-users', label: t('tabs.allUsers') },
    ...(mayEdit ? ([{ to: '/users/permissions', label: t('tabs.permissions') }] as const) : []),
  ]
  return (
    <Page title={t('title')} actions={actions} tabs={<SectionTabs label={t('title')} tabs={tabs} />}>
      {children}
    </Page>
  )
}
