import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newRequestId } from './request-id.ts'

test('is a random UUID of version 4', () => {
  const ids = Array.from({ length: 50 }, newRequestId)
  expect(new Set(ids).size).toBe(50)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

test('no source of the browser calls what plain http does not have', () => {
  const root = join(import.meta.dirname, '..')
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const asking = sources.filter((name) =>
    /\bcrypto\.(randomUUID\(|subtle\b)/.test(readFileSync(join(root, name), 'utf8')),
  )
  expect(asking).toEqual([])
})
