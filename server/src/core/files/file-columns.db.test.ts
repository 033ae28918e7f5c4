import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { fileColumns, otherKeyColumns } from './file-columns.ts'

const t = describeApp()

test('every column that names a file is listed, and the sweep may read it', async () => {
  const columns = await t.rows<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name ~ '_key$' and data_type = 'text'`,
  )
  const listed = Object.entries(fileColumns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  expect(columns.map(({ name }) => name).sort()).toEqual([...listed, ...otherKeyColumns].sort())
})
