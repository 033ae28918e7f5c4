import { type Alarm, alarms } from '@isotherm/contract/alarms.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useEntity } from '../../../lib/use-entity.ts'
import { EntityPage } from '../../../ui/entity-page.tsx'
import { SectionTabs } from '../../../ui/section-tabs.tsx'

interface AlarmFrameProps {
  actions?: (alarm: Alarm) => ReactNode
  children: (alarm: Alarm) => ReactNode
}

/** Title, way back and tabs of one alarm's screens. */
export function AlarmFrame(props: AlarmFrameProps) {
  const { t } = useTranslation('alarms')
  const mayEdit = useCan('alarms.addOrEdit')
  const answer = useEntity(alarms.one, { id: 'alarmId' })
  const params = { alarmId: answer.entity?.id ?? '' }
  const tabs = (
    <SectionTabs
      label={t('tabs.label')}
      tabs={[
        { to: '/alarms/$alarmId/details', label: t('tabs.details'), params },
        ...(mayEdit ? ([{ to: '/alarms/$alarmId/settings', label: t('tabs.settings'), params }] as const) : []),
      ]}
    />
  )
  return (
    <EntityPage
      {...props}
      answer={answer}
      title={answer.entity?.name ?? t('alarm')}
      breadcrumb={<Link to="/alarms/list">{t('title')}</Link>}
      tabs={tabs}
    />
  )
}
