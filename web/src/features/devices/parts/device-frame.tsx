import type { Device } from '@isotherm/contract/devices.ts'
import { Skeleton, Stack } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { SectionTabs } from '../../../ui/section-tabs.tsx'
import { useDevice } from '../use-device.ts'

interface DeviceFrameProps {
  actions?: (device: Device) => ReactNode
  width?: 'text' | 'wide'
  children: (device: Device) => ReactNode
}

/** Title, way back and tabs of one device's screens. A device that is not there, or not for us, is /404. */
export function DeviceFrame({ actions, width, children }: DeviceFrameProps) {
  const { t } = useTranslation('devices')
  const answer = useDevice()
  if (answer.state === 'absent') return <Navigate to="/404" replace />
  const device = answer.state === 'here' ? answer.device : null
  const tabs = device && (
    <SectionTabs
      label={t('tabs.label')}
      tabs={[
        { to: '/devices/$deviceId/details', label: t('tabs.details'), params: { deviceId: device.id } },
        { to: '/devices/$deviceId/excursions', label: t('tabs.excursions'), params: { deviceId: device.id } },
        { to: '/devices/$deviceId/settings', label: t('tabs.settings'), params: { deviceId: device.id } },
      ]}
    />
  )
  return (
    <Page
      title={device?.name ?? t('device')}
      breadcrumb={<Link to="/devices/device-overview">{t('title')}</Link>}
      actions={device && actions?.(device)}
      tabs={tabs}
      width={width}
    >
      {device && children(device)}
      {answer.state === 'failed' && <Failure error={answer.error} onRetry={answer.retry} />}
      {answer.state === 'loading' && (
        <Stack role="status" aria-label={t('loading')}>
          <Skeleton height={96} radius="md" />
          <Skeleton height={380} radius="md" />
        </Stack>
      )}
    </Page>
  )
}
