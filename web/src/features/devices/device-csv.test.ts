import { describe, expect, it } from 'vitest'
import { devicesCsv } from './device-csv.ts'
import { buildDevice } from './test/build-device.ts'

const lines = (csv: string) => csv.trimEnd().split('\r\n')

describe('devicesCsv', () => {
  it('has a header and one line per device', () => {
    const [header, line] = lines(devicesCsv([buildDevice()]))
    expect(header?.split(',')).toHaveLength(18)
    expect(line).toBe(
      'Van 3,Lagos,490154203237518,van,live,inRange,4.5,60,80,2026-11-20T10:00:00.000Z,6.5,3.4,Lagos,2026-11-20T10:00:00.000Z,2,8,,',
    )
  })

  it('quotes what would break a line, and defuses what a spreadsheet would run', () => {
    const csv = devicesCsv([buildDevice({ name: 'Fridge "A", left', tag: '=HYPERLINK("http://x")' })])
    expect(csv).toContain('"Fridge ""A"", left"')
    expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`)
  })

  it('leaves a negative temperature a number', () => {
    const cold = buildDevice()
    expect(devicesCsv([{ ...cold, latest: { ...cold.latest!, temperatureC: -18.4 } }])).toContain(',-18.4,')
  })

  it('leaves cells empty for a device that has said nothing', () => {
    const csv = devicesCsv([buildDevice({ latest: null, position: null, status: 'awaiting' })])
    expect(lines(csv)[1]).toContain('awaiting,awaiting,,,,,,,,')
  })
})
