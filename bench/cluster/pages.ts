import { setTimeout as sleep } from 'node:timers/promises'
import type { Scene } from './scene.ts'

const everyMs = 300
/** The first page loads these of its files, and later many more: the bench takes some of those that its script names. */
const laterFiles = 8

/**
 * Somebody who opens the browser app again and again behind haproxy, with the files that its page names and some that its script names. Where a file
 * is missing, they open the page once more, as the app does by itself: the last node of a version may have gone in between.
 */
export function startReader({ http }: Pick<Scene, 'http'>) {
  let stopping = false
  const failures: string[] = []
  const versions = new Set<string>()
  let [opened, again] = [0, 0]
  const running = (async () => {
    while (!stopping) {
      const missing = await open(`http://127.0.0.1:${http}`, versions)
      if (missing) {
        again++
        const still = await open(`http://127.0.0.1:${http}`, versions)
        if (still) failures.push(`${missing}, then ${still}`)
      }
      opened++
      await sleep(everyMs)
    }
  })()
  return {
    async stop(notes: Scene['notes']): Promise<string[]> {
      stopping = true
      await running
      notes['pages opened'] = `${opened}, ${again} twice, of ${versions.size} builds`
      if (versions.size < 2) failures.push('all pages were of one build')
      return failures
    },
  }
}

/** The file that was missing, or null. */
async function open(base: string, versions: Set<string>): Promise<string | null> {
  const page = await textOf(`${base}/login`)
  if (page === null) return '/login'
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? [])
  const script = files.find((path) => path.endsWith('.js'))
  if (!script) return 'the script of the page'
  versions.add(script)
  for (const path of files) {
    const text = await textOf(base + path)
    if (text === null) return path
    if (path !== script) continue
    const named = [...text.matchAll(/assets\/[\w.-]+\.(?:js|css)/g)].map(([name]) => `/${name}`)
    files.push(...[...new Set(named)].slice(0, laterFiles))
  }
  return null
}

/** Null: it was not there, or a page came in its place. */
async function textOf(url: string): Promise<string | null> {
  const answer = await fetch(url).catch(() => null)
  const text = await answer?.text().catch(() => null)
  const isPage = answer?.headers.get('content-type')?.startsWith('text/html') ?? false
  return answer?.ok && isPage === url.endsWith('/login') ? (text ?? null) : null
}
