import { useCan } from '../../../lib/can.ts'
import classes from '../parts/details.module.css'
import { DeviceFrame } from '../parts/device-frame.tsx'
import { LimitsHistory } from '../parts/limits-history.tsx'
import { SettingsForm } from '../parts/settings-form.tsx'
import { SettingsList } from '../parts/settings-list.tsx'
import { TransmissionCard } from '../parts/transmission-card.tsx'

export function SettingsPage() {
  const mayEdit = useCan('devices.addOrEdit')
  return (
    <DeviceFrame width="text">
      {(device) => (
        <div className={classes.stack}>
          {mayEdit ? <SettingsForm key={device.id} device={device} /> : <SettingsList device={device} />}
          <TransmissionCard device={device} mayEdit={mayEdit} />
          <LimitsHistory device={device} />
        </div>
      )}
    </DeviceFrame>
  )
}
