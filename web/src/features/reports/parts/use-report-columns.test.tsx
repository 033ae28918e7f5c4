// @vitest-environment page
import type { Report } from '@isotherm/contract/reports.ts'
import { afterEach, expect, test } from 'vitest'
import { find, leave, show } from '../../../test/show.tsx'
import { useReportColumns } from './use-report-columns.tsx'

afterEach(leave)

function Targets({ report }: { report: Report }) {
  return (
    <section>
      {useReportColumns()
        .find(({ key }) => key === 'targets')
        ?.render(report)}
    </section>
  )
}
const named = (...names: string[]) => names.map((name, i) => ({ id: String(i + 1), name }))

test.each([
  ['the one group is named', [], ['Cold room'], 'Cold room'],
  ['the one device is named', ['Van 3'], [], 'Van 3'],
  ['several are counted', ['Van 3', 'Van 4'], ['Cold room', 'Hall'], '2 devices2 groups'],
])('a report tells what it is about: %s', async (_what, devices, groups, text) => {
  const report = { devices: named(...devices), groups: named(...groups) } as unknown as Report
  await show(<Targets report={report} />, { texts: ['reports'] })
  expect((await find('section', /./)).textContent).toBe(text)
})
