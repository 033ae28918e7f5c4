import { expect, test } from 'vitest'
import { checkWriters } from './writers.mjs'

const jobs = [
  'server/src/features/device-reports/jobs.ts',
  `const layout = new URL('./layout.ts', import.meta.url)\nimport { gather } from './content.ts'`,
]
const content = ['server/src/features/device-reports/content.ts', `import { sql } from 'kysely'`]
const layout = (text) => ['server/src/features/device-reports/layout.ts', text]
const check = (...files) => checkWriters(new Map(files))

test.each([`import type { Content } from './content.ts'`, `import { measuredOf } from './measured.ts'`])(
  '%s is allowed in a layout',
  (text) => {
    expect(check(jobs, content, layout(text))).toEqual([])
  },
)

test.each([
  [`import { sql } from 'kysely'`, 'kysely'],
  [
    `import { type Content, measuredOf } from './content.ts'`,
    'server/src/features/device-reports/content.ts -> kysely',
  ],
])('%s is refused in a layout', (text, way) => {
  const fault = `server/src/features/device-reports/layout.ts writes a report, and loads ${way}`
  expect(check(jobs, content, layout(text))).toEqual([fault])
})
