import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import type { SectionTab } from '../../../ui/section-tabs.tsx'

/** The screens of one group, in order. */
export function useGroupTabs(groupId: string): SectionTab[] {
  const { t } = useTranslation('groups')
  const mayEdit = useCan('groups.addOrEdit')
  const params = { groupId }
  return [
    { to: '/groups/$groupId/overview', label: t('tabs.overview'), params },
    { to: '/groups/$groupId/group-chart', label: t('tabs.chart'), params },
    { to: '/groups/$groupId/devices', label: t('tabs.devices'), params },
    { to: '/groups/$groupId/users', label: t('tabs.users'), params },
    { to: '/groups/$groupId/records', label: t('tabs.records'), params },
    ...(mayEdit ? ([{ to: '/groups/$groupId/settings', label: t('tabs.settings'), params }] as const) : []),
  ]
}
