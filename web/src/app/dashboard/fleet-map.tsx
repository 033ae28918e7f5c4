import { devices } from '@isotherm/contract/devices.ts'
import { Paper } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { stateOf } from '../../features/devices/device-state.ts'
import { formatTemperature } from '../../lib/numbers.ts'
import { useCompany } from '../../lib/profile.ts'
import { useCall } from '../../lib/query.ts'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import { Failure } from '../../ui/failure.tsx'
import { devicesOf } from '../maps/fleet.ts'
import shared from '../overview.module.css'

/** Where everything is. Choosing a device goes to it. */
export function FleetMap({ height }: { height: number }) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const mapType = useCompany()?.mapType
  const answer = useCall(devices.fleet, { query: {} }, { refetchMs: 60_000 })
  const { data, error } = answer
  const markers = useMemo(
    () =>
      (data ? devicesOf(data) : []).map((device) => ({
        id: device.id,
        lat: device.lat,
        lon: device.lon,
        state: stateOf(device).tone,
        label: device.name,
        value: device.temperatureC === null ? undefined : formatTemperature(device.temperatureC),
      })),
    [data],
  )
  return (
    <Paper className={shared.map}>
      {error && !data && <Failure error={error} onRetry={() => void answer.refetch()} />}
      <IsothermMap
        label={t('map.label')}
        height={height}
        markers={markers}
        fitTo="markers"
        mapType={mapType}
        onSelect={(id) => id && void navigate({ to: '/devices/$deviceId/details', params: { deviceId: id } })}
        cooperative
      />
    </Paper>
  )
}
