import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { BulkKindName } from '@isotherm/contract/bulk-uploads.ts'
import { openFiles } from '../src/platform/files/files.ts'
import { changing } from './changed.ts'
import type { TestApp } from './harness.ts'

/** An upload, of shipments where nothing else is said, that was refused, with its marked workbook. */
export async function anUpload(
  test: TestApp,
  { companyId, userId = '1', kind = 'shipments' }: { companyId: number; userId?: string; kind?: BulkKindName },
) {
  const file = await openFiles(test.services.config).begin('bulk-uploads', 'xlsx')
  await writeFile(file.path, 'PK')
  await file.keep()
  const now = test.clock.now()
  const message = { key: 'fields.required', values: {} }
  return changing(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('bulk_uploads')
      .values({
        ...{ company_id: companyId, kind, file_name: 'season.csv', sha256: randomBytes(32) },
        ...{ date_order: 'iso', is_dry_run: true, state: 'refused', progress: 100, rows: 1, error_count: 1 },
        errors: JSON.stringify([{ row: 2, column: 'product', value: null, message }]),
        ...{ marked_key: file.key, created_at: now, touched_at: now, settled_at: now },
        ...{ created_by: userId, created_by_name: 'Somebody' },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}
