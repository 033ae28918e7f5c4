// @vitest-environment page
import type { ReportContents, ReportFormat } from '@isotherm/contract/device-reports.ts'
import { afterEach, expect, test } from 'vitest'
import { isShown, leave, logInAs, show } from '../../test/show.tsx'
import { ContentsField } from './contents-fields.tsx'

const open = (format: ReportFormat, value: ReportContents[]) =>
  show(<ContentsField format={format} value={value} onChange={() => undefined} />, { texts: ['reports'] })

afterEach(leave)
logInAs('admin')

test('a workbook with readings says that a long one has nothing else; other files do not', async () => {
  const note = 'An XLSX of more than 20,000 readings has the readings only.'
  const said = async (format: ReportFormat, value: ReportContents[]) => {
    await open(format, value)
    await expect.poll(() => isShown('Raw data'), { timeout: 20_000 }).toBe(true)
    return isShown(note)
  }
  expect(await said('xlsx', ['stats', 'readings'])).toBe(true)
  expect(await said('xlsx', ['stats'])).toBe(false)
  expect(await said('pdf', ['stats', 'readings'])).toBe(false)
})
