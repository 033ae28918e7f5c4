import { type Device, devices } from '@isotherm/contract/devices.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUrlSearch } from '../../../lib/url-search.ts'
import { useEntity } from '../../../lib/use-entity.ts'
import { EntityPage } from '../../../ui/entity-page.tsx'
import { SectionTabs } from '../../../ui/section-tabs.tsx'

interface DeviceFrameProps {
  actions?: (device: Device) => ReactNode
  width?: 'text' | 'panels' | 'wide'
  children: (device: Device) => ReactNode
}

/** Title, way back and tabs of one device's screens. */
export function DeviceFrame(props: DeviceFrameProps) {
  const { t } = useTranslation('devices')
  const answer = useEntity(devices.one, { id: 'deviceId' })
  const params = { deviceId: answer.entity?.id ?? '' }
  // The period that was chosen on one tab is meant on the others, too.
  const { period, from, to } = useUrlSearch().search
  const search = { period, from, to }
  const tabs = (
    <SectionTabs
      label={t('tabs.label')}
      tabs={[
        { to: '/devices/$deviceId/details', label: t('tabs.details'), params, search },
        { to: '/devices/$deviceId/excursions', label: t('tabs.excursions'), params, search },
        { to: '/devices/report/$deviceId', label: t('report'), params, search },
        { to: '/devices/$deviceId/settings', label: t('tabs.settings'), params, search },
      ]}
    />
  )
  return (
    <EntityPage
      {...props}
      answer={answer}
      title={answer.entity?.name ?? t('device')}
      breadcrumb={<Link to="/devices/device-overview">{t('title')}</Link>}
      tabs={tabs}
    />
  )
}
