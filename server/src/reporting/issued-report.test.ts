import { expect, test } from 'vitest'
import { fileNameOf } from './issued-report.ts'

test.each(['2026-11-29T23:00:00.000Z', '2026-11-29T22:59:59.999Z'])(
  'the file of a day is named after it, by the zone of the report, with its end at %s',
  (end) => {
    const row = { period_from: new Date('2026-11-28T23:00:00Z'), period_to: new Date(end), timezone: 'Africa/Lagos' }
    expect(fileNameOf('history', { ...row, format: 'pdf' } as Parameters<typeof fileNameOf>[1])).toBe(
      'isotherm-history-2026-11-29-2026-11-29.pdf',
    )
  },
)
