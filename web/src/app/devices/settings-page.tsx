import { shareLinks } from '@isotherm/contract/share-links.ts'
import { LifeSections } from '../../features/device-life/parts/life-sections.tsx'
import { SettingsPage } from '../../features/devices/pages/settings-page.tsx'
import { LicenceNote } from '../../features/devices/parts/licence-note.tsx'
import { ShareSection } from '../../features/share-links/parts/share-section.tsx'
import { useCan } from '../../lib/can.ts'

/** A device's settings with its share links and the sections of its life: hardware, power, flight mode, licences, going out of use. */
export function DeviceSettingsPage() {
  const mayShare = useCan(shareLinks.shareDevice)
  return (
    <SettingsPage
      more={(device) => (
        <>
          {mayShare && device.status !== 'decommissioned' && (
            <ShareSection subject={{ kind: 'device', id: device.id, name: device.name }} />
          )}
          <LifeSections
            key={device.id}
            device={device}
            licenceNote={(licenceKey) => <LicenceNote licenceKey={licenceKey} />}
          />
        </>
      )}
    />
  )
}
