import { type Group, groups } from '@isotherm/contract/groups.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useEntity } from '../../../lib/use-entity.ts'
import { EntityPage } from '../../../ui/entity-page.tsx'
import { SectionTabs } from '../../../ui/section-tabs.tsx'
import { useGroupTabs } from './group-tabs.ts'

interface GroupFrameProps {
  actions?: (group: Group) => ReactNode
  width?: 'text' | 'panels' | 'wide'
  children: (group: Group) => ReactNode
}

/** Title, way back and tabs of one group's screens. */
export function GroupFrame(props: GroupFrameProps) {
  const { t } = useTranslation('groups')
  const answer = useEntity(groups.one, { id: 'groupId' })
  const tabs = useGroupTabs(answer.entity?.id ?? '')
  return (
    <EntityPage
      {...props}
      answer={answer}
      title={answer.entity?.name ?? t('group')}
      breadcrumb={<Link to="/groups">{t('title')}</Link>}
      tabs={<SectionTabs label={t('tabs.label')} tabs={tabs} />}
    />
  )
}
