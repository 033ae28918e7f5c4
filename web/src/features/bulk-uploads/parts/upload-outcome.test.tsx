// @vitest-environment page
import { type BulkFault, type BulkUpload, shipmentUploads } from '@isotherm/contract/bulk-uploads.ts'
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, show } from '../../../test/show.tsx'
import { UploadOutcome } from './upload-outcome.tsx'

afterEach(leave)

const warning = (row: number, place: number) =>
  ({
    row,
    column: 'containerNo',
    code: `c${place}`,
    heading: 'Container',
    value: 'CSQU3054383',
    message: 'Alike',
  }) as BulkFault
const upload = (rows: number[], warningCount = rows.length) =>
  ({
    ...{ id: '1', state: 'stored', rows: 2, first: 'S-000007', last: 'S-000008', errors: [], errorCount: 0 },
    ...{ warnings: rows.map(warning), warningCount, makes: 2 },
  }) as unknown as BulkUpload

test('rows that may be copies are counted, not what is told of them', async () => {
  logInAs('admin')
  const outcome = async (of: BulkUpload) => {
    await show(<UploadOutcome upload={of} calls={shipmentUploads} name="shipments" />, { texts: ['bulkUploads'] })
    await find('[role=alert]', 'may be')
  }
  await outcome(upload([2, 3, 3]))
  expect(isShown('2 rows that were added may be copies.')).toBe(true)
  await outcome(upload([2]))
  expect(isShown('1 row that was added may be a copy.')).toBe(true)
})
