import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string) => readFileSync(path, 'utf8')

/** The classes of a module that a file names, with those that it has not. */
function missingIn(file: string): string[] {
  const text = textOf(file)
  const body = text.replace(/^import .*$/gm, '')
  return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].flatMap(([, name, path]) => {
    const styles = textOf(join(dirname(file), path ?? ''))
    const used = [...body.matchAll(new RegExp(`(?<![\\w.'/])${name}\\.(\\w+)`, 'g'))].map(([, used]) => used)
    return used.filter((used) => !new RegExp(`\\.${used}(?![\\w-])`).test(styles)).map((used) => `${file}: ${used}`)
  })
}

test('every class that a component names is in its module', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap((name) => missingIn(join(source, name)))).toEqual([])
})
