import type { Alarm } from '@isotherm/contract/alarms.ts'
import { Skeleton } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { SectionTabs } from '../../../ui/section-tabs.tsx'
import { useAlarm } from '../use-alarm.ts'

interface AlarmFrameProps {
  actions?: (alarm: Alarm) => ReactNode
  children: (alarm: Alarm) => ReactNode
}

/** Title, way back and tabs of one alarm's screens. An alarm that is not there, or not for us, is /404. */
export function AlarmFrame({ actions, children }: AlarmFrameProps) {
  const { t } = useTranslation('alarms')
  const mayEdit = useCan('alarms.addOrEdit')
  const answer = useAlarm()
  if (answer.state === 'absent') return <Navigate to="/404" replace />
  const alarm = answer.state === 'here' ? answer.alarm : null
  const params = { alarmId: alarm?.id ?? '' }
  const tabs = alarm && (
    <SectionTabs
      label={t('tabs.label')}
      tabs={[
        { to: '/alarms/$alarmId/details', label: t('tabs.details'), params },
        ...(mayEdit ? ([{ to: '/alarms/$alarmId/settings', label: t('tabs.settings'), params }] as const) : []),
      ]}
    />
  )
  return (
    <Page
      title={alarm?.name ?? t('alarm')}
      breadcrumb={<Link to="/alarms/list">{t('title')}</Link>}
      actions={alarm && actions?.(alarm)}
      tabs={tabs}
    >
      {alarm && children(alarm)}
      {answer.state === 'failed' && <Failure error={answer.error} onRetry={answer.retry} />}
      {answer.state === 'loading' && <Skeleton height={420} radius="md" />}
    </Page>
  )
}
