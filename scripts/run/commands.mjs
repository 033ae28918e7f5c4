import { existsSync, readdirSync } from 'node:fs'
import { heapFlags, memoryVariables } from './heap-flags.mjs'
import { inRoot } from './paths.mjs'
import { runNode } from './processes.mjs'
import { ensureWeb } from './web.mjs'

/** A command of the server's command line, in production mode. */
export async function serve(command, args, { web = false } = {}) {
  if (web) await ensureWeb()
  return runNode([...heapFlags(), inRoot('server/src/main.ts'), command, ...args], {
    env: { ...memoryVariables(), NODE_ENV: process.env.NODE_ENV ?? 'production' },
  })
}

/** `bench <name> ...` runs bench/<name>.ts or bench/<name>/main.ts. Some of them open pages, so the web app is built first. */
export async function bench([name = '', ...args]) {
  const file = [inRoot('bench', `${name}.ts`), inRoot('bench', name, 'main.ts')].find(
    (path) => name && existsSync(path),
  )
  if (file) {
    await ensureWeb()
    return runNode([file, ...args])
  }
  const names = readdirSync(inRoot('bench'), { withFileTypes: true })
    .filter((entry) =>
      entry.isDirectory() ? existsSync(inRoot('bench', entry.name, 'main.ts')) : entry.name.endsWith('.ts'),
    )
    .map((entry) => entry.name.replace(/\.ts$/, ''))
  throw new Error(`which one? npm run bench -- <${names.join(' | ')}>`)
}

/** Tries the checks of OWASP ASVS on an instance of its own; `--broken` shows that each of them can fail. */
export const asvs = (args) => runNode([inRoot('scripts/asvs/main.ts'), ...args])

/** Tries what deploy/ has, as far as the machine allows. */
export async function deployTry(args) {
  await ensureWeb()
  return runNode([inRoot('bench/deploy/main.ts'), ...args])
}
