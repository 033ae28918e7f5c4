import { DecommissionedPage } from '../../features/device-life/pages/decommissioned-page.tsx'
import { LicenceNote } from '../../features/devices/parts/licence-note.tsx'

/** The devices out of use, with what a licence key is good for when one is restored. */
export function DecommissionedDevicesPage() {
  return <DecommissionedPage licenceNote={(licenceKey) => <LicenceNote licenceKey={licenceKey} />} />
}
