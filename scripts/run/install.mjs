import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { inRoot, pinnedNode, root } from './paths.mjs'

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

function install() {
  if (npm(['ci', '--loglevel=error']) === 0) return
  console.error('npm ci failed; trying npm install')
  if (npm(['install', '--no-save', '--loglevel=error']) !== 0) throw new Error('npm could not install the dependencies')
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

/** npm's package `node` gets its program by an install script, which npm may have been told not to run. */
function ensureNode() {
  if (!existsSync(pinnedNode)) {
    console.log('Fetching the pinned Node ...')
    const env = { ...process.env, PATH: machinePath() }
    const cwd = inRoot('node_modules/node')
    spawnSync(machineNode(), ['installArchSpecificPackage.js'], { cwd, env, stdio: 'inherit' })
    if (!existsSync(pinnedNode)) throw new Error('the pinned Node could not be installed (npm package "node")')
  }
  const link = inRoot('node_modules/.bin/node')
  if (!existsSync(link)) symlinkSync('../node/bin/node', link)
}
