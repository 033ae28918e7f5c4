import type { Group } from '@isotherm/contract/groups.ts'
import { Skeleton } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { SectionTabs } from '../../../ui/section-tabs.tsx'
import { useGroup } from '../use-group.ts'
import { useGroupTabs } from './group-tabs.ts'

interface GroupFrameProps {
  actions?: (group: Group) => ReactNode
  width?: 'text' | 'wide'
  children: (group: Group) => ReactNode
}

/** Title, way back and tabs of one group's screens. A group that is not there, or not for us, is /404. */
export function GroupFrame({ actions, width, children }: GroupFrameProps) {
  const { t } = useTranslation('groups')
  const answer = useGroup()
  const group = answer.state === 'here' ? answer.group : null
  const tabs = useGroupTabs(group?.id ?? '')
  if (answer.state === 'absent') return <Navigate to="/404" replace />
  return (
    <Page
      title={group?.name ?? t('group')}
      width={width}
      breadcrumb={<Link to="/groups">{t('title')}</Link>}
      actions={group && actions?.(group)}
      tabs={group && <SectionTabs label={t('tabs.label')} tabs={tabs} />}
    >
      {group && children(group)}
      {answer.state === 'failed' && <Failure error={answer.error} onRetry={answer.retry} />}
      {answer.state === 'loading' && <Skeleton height={420} radius="md" />}
    </Page>
  )
}
