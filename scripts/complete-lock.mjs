// Adds to package-lock.json the optional packages of other platforms that a partial registry mirror could not answer for:
// without their entries `npm ci` refuses the lock, there and everywhere else. Run after `npm install` on such a mirror;
// with --check it only tells. A package without a hash is refused where a Linux server would install it; those of other systems
// and of developers are left, where the mirror does not have them.
import { readFileSync, writeFileSync } from 'node:fs'

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'netbsd', 'openbsd', 'sunos']
const CPUS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const added = []

for (const { optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const present = Object.keys(lock.packages).some((path) => path.endsWith(`node_modules/${name}`))
    const parts = name.split(/[/-]/)
    const os = SYSTEMS.filter((system) => parts.includes(system))
    if (present || os.length === 0 || !/^\d/.test(version)) continue
    const cpu = CPUS.filter((one) => parts.includes(one))
    lock.packages[`node_modules/${name}`] = { version, ...(cpu.length ? { cpu } : {}), optional: true, os }
    added.push(name)
  }
}
/** Whether a server on Linux runs it. */
const isServed = ({ dev, os = ['linux'] }) => !dev && os.includes('linux')
const unhashed = Object.entries(lock.packages).filter(
  ([path, entry]) => path.startsWith('node_modules/') && !entry.link && !entry.integrity && isServed(entry),
)

const isCheck = process.argv.includes('--check')
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
if (added.length && !isCheck) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(
  added.length
    ? `${isCheck ? 'missing (run node scripts/complete-lock.mjs):' : 'added'} ${added.join(', ')}`
    : 'complete',
)
if (unhashed.length) console.error(`without a hash: ${unhashed.map(([path]) => path.slice(13)).join(', ')}`)
process.exitCode = (added.length && isCheck) || unhashed.length ? 1 : 0
