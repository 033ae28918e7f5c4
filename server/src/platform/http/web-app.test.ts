import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashesOfScripts } from './web-app.ts'

test('the policy names each script that stands in a page, and none that is asked for', () => {
  const hash = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`
  const page = `<script src="/a.js"></script><script data-texts='{"en":["/b.js"]}'>one()</script><script>two()</script>`
  expect(hashesOfScripts(page)).toBe(` ${hash('one()')} ${hash('two()')}`)
  expect(hashesOfScripts('<p>nothing runs</p>')).toBe('')
})
