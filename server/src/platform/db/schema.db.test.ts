import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { schemaFile, writeSchemaTypes } from '../../../test/schema-types.ts'

test('the types of the queries are those of the migrations (else: npm run schema)', async () => {
  const database = await testDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-schema-'))
  onTestFinished(async () => {
    await database.drop()
    await rm(dir, { recursive: true })
  })
  const file = join(dir, 'schema.ts')
  await writeSchemaTypes(database.url, file)
  expect(await readFile(schemaFile, 'utf8')).toBe(await readFile(file, 'utf8'))
})
