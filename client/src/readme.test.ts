import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const programsOf = (text: string) => [...text.matchAll(/^```ts\n.*?^```$/gms)].map(([program]) => program)

test('the programs of the README are those of the developers’ page, which a test runs', () => {
  const programs = programsOf(textOf('../README.md'))
  expect(programs).toHaveLength(2)
  expect(programsOf(textOf('../../docs/developers.md'))).toEqual(expect.arrayContaining(programs))
})
