import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { textOf } from '../../../test/text-of.ts'
import { writePdf } from '../../reporting/pdf.ts'
import { wordsOf } from '../../reporting/words.ts'
import { printHourly } from './record-pages.ts'

const hourMs = 3_600_000
const zone = 'Europe/Berlin'

/** The rows of a table of hours, as they are read in its PDF. */
async function hoursFrom(from: string, hours: number): Promise<string[]> {
  const hourly = Array.from({ length: hours }, (_, index) => ({
    at: Date.parse(from) + index * hourMs,
    values: [1.25],
  }))
  const head = {
    ...{
      companyId: 1,
      company: 'Blue Cargo',
      locale: 'en' as const,
      zone,
      issuedAt: 0,
      issuedBy: 'Thandi',
      contents: [],
    },
    period: { from, to: from },
  }
  const out = new PassThrough()
  const bytes = buffer(out)
  await writePdf(out, wordsOf('en', zone), head, {
    ...{ title: 'Hours', head: 'Hours' },
    sections: [{ print: (paper) => printHourly(paper, { hourly, probes: [], locale: 'en', zone }) }],
  })
  const text = await textOf(await bytes, 'application/pdf')
  return [...text.replaceAll(/\s+/g, ' ').matchAll(/\d\d? Oct 2026, (\d\d:\d\d(?: CES?T)?)/g)].map(
    ([, time = '']) => time,
  )
}

test('the hour that comes twice at the end of summer time is told apart by its offset', async () => {
  expect(await hoursFrom('2026-10-24T23:00:00Z', 4)).toEqual(['01:00 CEST', '02:00 CEST', '02:00 CET', '03:00 CET'])
})

test('where the offset does not change, it stands over the table once', async () => {
  expect(await hoursFrom('2026-10-24T00:00:00Z', 2)).toEqual(['02:00', '03:00'])
})
