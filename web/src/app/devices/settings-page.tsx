import { LifeSections } from '../../features/device-life/parts/life-sections.tsx'
import { SettingsPage } from '../../features/devices/pages/settings-page.tsx'
import { LicenceNote } from '../../features/devices/parts/licence-note.tsx'

/** A device's settings with the sections of its life: hardware, power, flight mode, licences, going out of use. */
export function DeviceSettingsPage() {
  return (
    <SettingsPage
      more={(device) => (
        <LifeSections
          key={device.id}
          device={device}
          licenceNote={(licenceKey) => <LicenceNote licenceKey={licenceKey} />}
        />
      )}
    />
  )
}
