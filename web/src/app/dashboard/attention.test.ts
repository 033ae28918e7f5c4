import type { Dashboard, NeedsAttention } from '@isotherm/contract/dashboard.ts'
import { describe, expect, it } from 'vitest'
import { attentionOf } from './attention.ts'

type Devices = NonNullable<Dashboard['devices']>
const need = (kind: NeedsAttention['kind'], deviceId: string, since = '2026-11-20T03:12:00.000Z'): NeedsAttention => ({
  kind,
  deviceId,
  deviceName: `Van ${deviceId}`,
  since,
  value: null,
})
const devicesWith = (needsAttention: NeedsAttention[], counts: Partial<Devices['summary']> = {}): Devices => ({
  summary: {
    total: 5,
    byStatus: {} as Devices['summary']['byStatus'],
    inRange: 5,
    outOfRange: 0,
    silent: 0,
    tags: [],
    ...counts,
  },
  excursionsNow: [],
  headingOut: [],
  events: [],
  needsAttention,
})

describe('attentionOf', () => {
  it('has nothing to say when all is well', () => {
    expect(attentionOf(devicesWith([]))).toEqual([])
  })

  it('puts what is out of range before what is silent', () => {
    const found = attentionOf(devicesWith([need('silent', '2'), need('outOfRange', '1')]))
    expect(found.map(({ kind }) => kind)).toEqual(['outOfRange', 'silent'])
  })

  it('names the device only where there is one', () => {
    const [one] = attentionOf(devicesWith([need('silent', '2')], { silent: 1 }))
    expect(one?.only?.deviceName).toBe('Van 2')
    const [two] = attentionOf(devicesWith([need('silent', '2'), need('silent', '3', '2026-11-20T01:00:00.000Z')]))
    expect(two).toMatchObject({ count: 2, only: null, since: '2026-11-20T01:00:00.000Z' })
  })

  it('counts beyond the twenty that are listed', () => {
    const listed = Array.from({ length: 20 }, (_, index) => need('silent', String(index)))
    expect(attentionOf(devicesWith(listed, { silent: 412 }))[0]?.count).toBe(412)
  })

  it('counts a device with two measures out of range once', () => {
    const [item] = attentionOf(devicesWith([need('outOfRange', '1'), need('outOfRange', '1')], { outOfRange: 1 }))
    expect(item?.count).toBe(1)
  })
})
