import type { Device } from '@isotherm/contract/devices.ts'
import type { ReactNode } from 'react'
import { useCan } from '../../../lib/can.ts'
import frames from '../../../ui/frames.module.css'
import { DeviceFrame } from '../parts/device-frame.tsx'
import { LimitsHistory } from '../parts/limits-history.tsx'
import { SettingsForm } from '../parts/settings-form.tsx'
import { SettingsList } from '../parts/settings-list.tsx'
import { TransmissionCard } from '../parts/transmission-card.tsx'

/** `more` are sections of other features, which the app puts in. A device out of use has nothing to be set. */
export function SettingsPage({ more }: { more?: (device: Device) => ReactNode }) {
  const mayEdit = useCan('devices.addOrEdit')
  return (
    <DeviceFrame width="panels">
      {(device) => (
        <div className={frames.stack}>
          {device.status !== 'decommissioned' && (
            <>
              {mayEdit ? <SettingsForm key={device.id} device={device} /> : <SettingsList device={device} />}
              <TransmissionCard device={device} mayEdit={mayEdit} />
            </>
          )}
          {more?.(device)}
          <LimitsHistory device={device} />
        </div>
      )}
    </DeviceFrame>
  )
}
