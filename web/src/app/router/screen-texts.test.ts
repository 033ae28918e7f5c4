import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^test\//.test(name))
    .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
)
const namespaces = new Set(
  readdirSync(join(root, '../../contract/locales/en')).map((name) => name.replace('.json', '')),
)
/** The shell has these before it shows a screen. */
const ofShell = ['common', 'shell', 'notifications']

const pathOf = (from: string, to: string) => relative(root, join(root, dirname(from), to))
const suspended = (text: string) => [...text.matchAll(/<Suspense\b[\s\S]*?<\/Suspense>/g)].join('\n')
const shows = (text: string, part: string) => text.split(new RegExp(`<${part}\\b`)).length - 1

/** The sources that one loads with itself and shows outside of a Suspense of its own. */
function loadedWith(name: string): string[] {
  const text = sources.get(name) ?? ''
  const imports = text.matchAll(/^(?:import|export) (?!type )([^;'"]*?)from '(\.[^']+)'/gm)
  return [...imports].flatMap(([, parts = '', to = '']) => {
    const shown = (parts.match(/\b[A-Z]\w+/g) ?? []).filter((part) => shows(text, part) > 0)
    const waits = shown.length > 0 && shown.every((part) => shows(suspended(text), part) === shows(text, part))
    const path = pathOf(name, to)
    return waits || !sources.has(path) ? [] : [path]
  })
}

/** The namespaces that a source asks for and does not load itself. */
function asked(name: string): string[] {
  const text = sources.get(name) ?? ''
  const inHooks = [...text.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? [])
  const inKeys = [...text.matchAll(/['"`](\w+):\w+[.'"`]/g)].map(([, space = '']) => space)
  return [...new Set([...inHooks, ...inKeys])].filter(
    (space) => namespaces.has(space) && !text.includes(`loadNamespaces('${space}')`),
  )
}

/** Sources that ask for texts only once these have come. */
const waiting = [
  // A Suspense of its own is around the part that asks.
  'shared/silenced-dispatch.tsx',
  // The form that it belongs to has loaded them by the time that something fails.
  'ui/form/use-failure.ts',
]

const listsOf = (text: string) =>
  new Map([...text.matchAll(/const (\w+) = \[([^\]]*)\]/g)].map(([, name = '', list = '']) => [name, list]))

test('a screen begins with the texts of all that it loads: else it is gone for a moment while they come', () => {
  const faults: string[] = []
  let screens = 0
  for (const [file, text] of sources) {
    if (!/^app\/router\/.*-routes\.ts$/.test(file)) continue
    const lists = listsOf(text)
    const expand = (list: string): string[] =>
      list.replace(/\.\.\.(\w+)/g, (_, name) => expand(lists.get(name) ?? '').join()).match(/\w+/g) ?? []
    for (const [, kind, route, body = ''] of text.matchAll(
      /(guest|public|session)Screen\('([^']+)', \{([\s\S]*?)\n {2}\}\)/g,
    )) {
      screens++
      const [, list, name = 'texts'] = /\btexts(?:: \[([^\]]*)\]|: (\w+)|,)/.exec(body) ?? []
      const has = new Set([...expand(list ?? lists.get(name) ?? ''), ...(kind === 'session' ? ofShell : [])])
      const page = pathOf(file, /import\('([^']+)'\)/.exec(body)?.[1] ?? '')
      const seen = new Set<string>()
      const ways = [[page]]
      for (const way of ways) {
        const [last = ''] = way.slice(-1)
        if (seen.has(last)) continue
        seen.add(last)
        ways.push(...loadedWith(last).map((next) => [...way, next]))
        const missing = waiting.includes(last) ? [] : asked(last).filter((space) => !has.has(space))
        faults.push(...missing.map((space) => `${route} has no texts '${space}': ${way.join(' > ')}`))
      }
    }
  }
  expect(screens).toBeGreaterThan(80)
  expect(faults).toEqual([])
})
