import { deviceLife } from '@isotherm/contract/device-life.ts'
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCan } from '../../../lib/can.ts'
import { Failure } from '../../../ui/failure.tsx'
import { type LifeDevice, useLife } from '../use-life.ts'
import { DecommissionSection } from './decommission-section.tsx'
import { FlightSection } from './flight-section.tsx'
import { HardwareSection } from './hardware-section.tsx'
import { LicenceSection } from './licence-section.tsx'
import { PowerSection } from './power-section.tsx'
import { RestoreSection } from './restore-section.tsx'

interface LifeSectionsProps {
  device: LifeDevice
  /** Says what a licence key is good for. */
  licenceNote: (licenceKey: string) => ReactNode
}

/** Flight mode, power, hardware, licences, and going out of use; of a device out of use, the way back. */
export function LifeSections({ device, licenceNote }: LifeSectionsProps) {
  const mayEdit = useCan(deviceLife.swap)
  const answer = useLife(device)
  const life = answer.data
  if (!life)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={220} radius="md" />
    )
  const known = { device, life, mayEdit }
  if (life.decommissionedAt)
    return (
      <>
        <RestoreSection {...known} licenceNote={licenceNote} />
        <HardwareSection {...known} mayEdit={false} />
      </>
    )
  return (
    <>
      <FlightSection {...known} />
      <HardwareSection {...known} />
      <LicenceSection {...known} licenceNote={licenceNote} />
      <PowerSection {...known} />
      {mayEdit && <DecommissionSection device={device} />}
    </>
  )
}
