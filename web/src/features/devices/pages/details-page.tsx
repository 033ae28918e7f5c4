import { lazy, useEffect } from 'react'
import { preloadTimeChart } from '../../../charts/lazy-time-chart.tsx'
import { useCan } from '../../../lib/can.ts'
import frames from '../../../ui/frames.module.css'
import { LateRowMenu } from '../../../ui/list/late-row-menu.tsx'
import { DeviceFrame } from '../parts/device-frame.tsx'
import { DeviceHeader } from '../parts/device-header.tsx'
import { DeviceHistory, type MarksSource } from '../parts/device-history.tsx'

const DeviceMenu = lazy(async () => ({ default: (await import('../parts/device-menu.tsx')).DeviceMenu }))

/** `Marks` brings the chart its flags. */
export function DetailsPage({ Marks }: { Marks: MarksSource }) {
  const mayEdit = useCan('devices.addOrEdit')
  useEffect(preloadTimeChart, [])
  return (
    <DeviceFrame
      actions={(device) =>
        mayEdit && (
          <LateRowMenu name={device.name}>
            <DeviceMenu device={device} />
          </LateRowMenu>
        )
      }
    >
      {(device) => (
        <div className={frames.stack}>
          <DeviceHeader device={device} />
          <DeviceHistory device={device} Marks={Marks} />
        </div>
      )}
    </DeviceFrame>
  )
}
