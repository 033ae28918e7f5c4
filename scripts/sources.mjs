import { readdirSync, readFileSync, statSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { inRoot, root } from './run/paths.mjs'

/** The sources in folders (or files) of the repository whose path fits, without packages and what is built: text by path. */
export function sourcesIn(places, isWanted) {
  const found = new Map()
  const collect = (path) => {
    const name = relative(root, path).split(sep).join('/')
    if (statSync(path).isFile()) {
      if (isWanted(name)) found.set(name, readFileSync(path, 'utf8'))
    } else if (!/(^|\/)(node_modules|dist)$/.test(name))
      for (const entry of readdirSync(path)) collect(inRoot(name, entry))
  }
  for (const place of places) collect(inRoot(place))
  return found
}

/** The workspaces with all that tests and tends them. */
export const WORKSPACES = ['contract', 'server', 'web', 'simulator', 'bench', 'e2e', 'scripts']

export const isCode = (path) => /\.(ts|tsx|mjs)$/.test(path)

/** Blanks comments, keeping lines. Strings stay, so that `//` in an address does. */
export const withoutComments = (text) =>
  text.replace(/(['"])(?:\\.|(?!\1)[^\\\n])*\1|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (found) =>
    found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found,
  )

/** Prints the faults that a check found, or that there are none, and sets the exit code. */
export function tellFaults(faults, fine) {
  console.log(faults.length ? faults.join('\n') : fine)
  process.exitCode = faults.length ? 1 : 0
}
