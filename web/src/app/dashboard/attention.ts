import type { Dashboard, NeedsAttention } from '@isotherm/contract/dashboard.ts'

type Kind = NeedsAttention['kind']
export interface AttentionItem {
  kind: Kind
  count: number
  /** The earliest of the instants it has lasted since. */
  since: string
  /** The device, where there is only one. */
  only: NeedsAttention | null
}

const order: Kind[] = ['outOfRange', 'silent', 'clockAhead', 'batteryLow', 'licenceExpired', 'licenceEnding']

/** Things that need attention, a sentence each, most pressing first. The server lists at most 20 of a kind; counts go beyond. */
export function attentionOf({ needsAttention, summary }: NonNullable<Dashboard['devices']>): AttentionItem[] {
  return order.flatMap((kind) => {
    const found = needsAttention.filter((each) => each.kind === kind)
    const [first] = found
    if (!first) return []
    const devices = new Set(found.map(({ deviceId }) => deviceId)).size
    const known = kind === 'outOfRange' ? summary.outOfRange : kind === 'silent' ? summary.silent : 0
    const count = Math.max(devices, known)
    const [since = first.since] = found.map((each) => each.since).sort()
    return [{ kind, count, since, only: count === 1 ? first : null }]
  })
}

/** Where the sentence leads: to the device, or to the list of them. */
export const listSearch: Record<Kind, { status?: string; sort?: string }> = {
  outOfRange: { status: 'outOfRange' },
  silent: { status: 'silent' },
  clockAhead: {},
  batteryLow: { sort: 'battery' },
  licenceExpired: { status: 'expired' },
  licenceEnding: {},
}
