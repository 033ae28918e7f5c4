import type { SharedDevice } from '@isotherm/contract/share-links.ts'
import { MantineProvider } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import '../../ui/styles-base.ts'
import '../../ui/styles-app.ts'
import { stateOf } from '../../features/devices/device-state.ts'
import { formatTemperature } from '../../lib/numbers.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import { cssVariables, theme } from '../../ui/theme.ts'

/** Where the devices of a link are. It brings the map, and the components that the map needs: loaded for links that show positions. */
export function SharedMap({ devices }: { devices: readonly SharedDevice[] }) {
  const { t } = useTranslation('shared')
  const markers = useMemo(
    () =>
      devices.map((device, i) => ({
        id: String(i),
        lat: device.position?.lat ?? null,
        lon: device.position?.lon ?? null,
        state: stateOf(device).tone,
        label: device.name,
        value: device.temperatureC === null ? undefined : formatTemperature(device.temperatureC),
      })),
    [devices],
  )
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryProvider>
        <IsothermMap label={t('map')} height={320} markers={markers} fitTo="markers" cooperative />
      </QueryProvider>
    </MantineProvider>
  )
}
