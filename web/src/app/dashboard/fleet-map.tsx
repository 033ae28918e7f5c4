import { Paper } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { stateOf } from '../../features/devices/device-state.ts'
import { formatNumber, formatTemperature } from '../../lib/numbers.ts'
import { useCompany } from '../../lib/profile.ts'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import { Failure } from '../../ui/failure.tsx'
import classes from './dashboard.module.css'
import { useFleet } from './use-fleet.ts'

/** Where everything is. Choosing a device goes to it. */
export function FleetMap({ height }: { height: number }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const mapType = useCompany()?.mapType
  const { fleet, total, error, retry } = useFleet()
  const markers = useMemo(
    () =>
      fleet.map((device) => ({
        id: device.id,
        lat: device.position?.lat ?? null,
        lon: device.position?.lon ?? null,
        state: stateOf(device).tone,
        label: device.name,
        value: device.latest ? formatTemperature(device.latest.temperatureC) : undefined,
      })),
    [fleet],
  )
  return (
    <Paper className={classes.map} component="section" aria-label={t('map.label')}>
      {error !== null && error !== undefined && <Failure error={error} onRetry={retry} />}
      <IsothermMap
        label={t('map.label')}
        height={height}
        markers={markers}
        fitTo="markers"
        mapType={mapType}
        onSelect={(id) => id && void navigate({ to: '/devices/$deviceId/details', params: { deviceId: id } })}
        cooperative
      />
      {total > fleet.length && fleet.length > 0 && (
        <p className={classes.note}>
          {t('map.some', { shown: formatNumber(fleet.length), total: formatNumber(total) })}
        </p>
      )}
    </Paper>
  )
}
