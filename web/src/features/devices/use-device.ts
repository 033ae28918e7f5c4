import { Id } from '@isotherm/contract/common.ts'
import { type Device, devices } from '@isotherm/contract/devices.ts'
import { useParams } from '@tanstack/react-router'
import { useCall } from '../../lib/query.ts'

export type DeviceAnswer =
  | { state: 'loading' }
  | { state: 'absent' }
  | { state: 'failed'; error: unknown; retry: () => void }
  | { state: 'here'; device: Device }

/** The device in the URL, kept up to date by pushes. */
export function useDevice(): DeviceAnswer {
  const { deviceId = '' } = useParams({ strict: false }) as { deviceId?: string }
  const isId = Id.safeParse(deviceId).success
  const answer = useCall(devices.one, { params: { id: deviceId } }, { enabled: isId, refetchMs: 60_000 })
  if (!isId || answer.error?.status === 404) return { state: 'absent' }
  if (answer.data) return { state: 'here', device: answer.data }
  if (answer.error) return { state: 'failed', error: answer.error, retry: () => void answer.refetch() }
  return { state: 'loading' }
}
