import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { insertCalibration } from '../src/features/calibrations/queries.ts'
import { insertPlace, type NewPlaceValues, type PlaceKind } from '../src/features/shipment-places/queries.ts'
import { openFiles } from '../src/platform/files/files.ts'
import { aDevice } from './device-factory.ts'
import { inCompany, type Stage } from './factories.ts'
import type { TestApp } from './harness.ts'

let count = 0

/** An origin or a destination with a name of its own. */
export async function aPlaceOfShipments(
  test: Stage,
  { companyId }: { companyId: number },
  kind: PlaceKind,
  more: Partial<NewPlaceValues> = {},
) {
  count += 1
  const row = { name: `${kind} ${count}`, country: 'ZA', zone: 'Africa/Johannesburg', ...more }
  return { id: await inCompany(test, companyId, (ctx) => insertPlace(ctx, kind, row)), ...row }
}

/** An empty page, which readers of PDFs take for one. */
const pdf = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`,
)

/** A certificate of a device, with its file; of a new one where none is named. */
export async function aCalibration(
  test: TestApp,
  company: { companyId: number; deviceId?: number; calibratedOn?: string; dueOn?: string; offsetC?: number | null },
): Promise<{ id: string }> {
  const { companyId, calibratedOn = '2025-06-01', dueOn = '2099-06-01', offsetC = 12 } = company
  const deviceId = company.deviceId ?? (await aDevice(test, { companyId })).id
  const file = await openFiles(test.services.config).begin('calibrations', 'pdf')
  await writeFile(file.path, pdf)
  await file.keep()
  count += 1
  const id = await inCompany(test, companyId, (ctx) =>
    insertCalibration(ctx, {
      ...{ device_id: Number(deviceId), certificate_no: `CAL-${count}`, laboratory: 'Cold Lab' },
      ...{ calibrated_on: calibratedOn, due_on: dueOn, offset_c: offsetC, created_at: test.clock.now() },
      ...{ created_by: '1', created_by_name: 'Somebody', file_key: file.key, file_size: pdf.length },
      file_sha256: createHash('sha256').update(pdf).digest(),
    }),
  )
  return { id }
}
