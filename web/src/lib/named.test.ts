import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Lines of HTTP, which have no language. */
const headers = ['features/webhooks/parts/delivery-detail.tsx', 'lib/send-form.ts']

test('no source of a screen writes the colon after a name by itself', () => {
  const root = join(import.meta.dirname, '..')
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.includes('.test.') && !headers.includes(name),
  )
  // An expression of JSX, an expression of a template, the beginning of a template, and a list.
  const colons = /\{[^\s{}$][^{}]*\}:(?=\s|<)|\$\{[^{}]*\}: [`$]|[`']: \$\{|join\(': '\)/
  expect(sources.filter((name) => colons.test(readFileSync(join(root, name), 'utf8')))).toEqual([])
})
