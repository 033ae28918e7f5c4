import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { inRoot, nodePackage, pinnedNode, root } from './paths.mjs'

/** Makes node_modules match package-lock.json and the pinned Node runnable. `development` wants devDependencies too. */
export function ensureInstalled({ development }) {
  const reason = staleReason({ development })
  if (reason) {
    console.log(`Installing dependencies (${reason}) ...`)
    install()
  }
  ensureNode()
}

/** Why node_modules is not what the lock file says, or null. npm's own record of what it installed is compared. */
export function staleReason({ development }, dir = root) {
  const installed = readPackages(join(dir, 'node_modules/.package-lock.json'))
  const wanted = readPackages(join(dir, 'package-lock.json'))
  if (!wanted) throw new Error('package-lock.json is missing')
  if (!installed) return 'not installed yet'
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || entry.link) continue
    const found = installed[path]
    if (found ? found.version !== entry.version : !(entry.optional || (entry.dev && !development))) {
      return `${path.split('node_modules/').pop()} should be ${entry.version}, is ${found?.version ?? 'absent'}`
    }
  }
  return null
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

/** By the lock file or not at all: what it has no hash of is not run. */
export function install() {
  if (npm(['ci', '--loglevel=error']) !== 0)
    throw new Error('npm could not install the dependencies as package-lock.json names them: its own words are above')
}

function npm(args, cwd = root) {
  const own = process.env.npm_execpath
  const [program, first] = own?.endsWith('.js') ? [machineNode(), [own]] : ['npm', []]
  const env = { ...process.env, PATH: machinePath() }
  const { status, error } = spawnSync(program, [...first, ...args], { cwd, env, stdio: 'inherit' })
  if (error) throw new Error(`npm cannot be run: ${error.message}`)
  return status
}

/** PATH without our own .bin: npm must not run on the Node that it is about to delete. */
const machinePath = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => !dir.includes(join('node_modules', '.bin')))
    .join(delimiter)

function machineNode() {
  if (!process.execPath.startsWith(root)) return process.execPath
  const found = machinePath()
    .split(delimiter)
    .map((dir) => join(dir, 'node'))
    .find(isExecutable)
  return found ?? process.execPath
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** An install without optional packages, or a platform that Node is not packed for, has none. */
function ensureNode() {
  if (!existsSync(pinnedNode))
    throw new Error(
      `Node for this platform is not installed (npm package "${nodePackage}", an optional one of package.json)`,
    )
  const link = inRoot('node_modules/.bin/node')
  if (!existsSync(link)) symlinkSync(`../${nodePackage}/bin/node`, link)
}
