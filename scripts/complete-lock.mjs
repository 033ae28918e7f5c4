// Adds to package-lock.json the optional packages of other platforms that a partial registry mirror could not answer for:
// without their entries `npm ci` refuses the lock, there and everywhere else. Run after `npm install` on such a mirror;
// with --check it only tells. A package without a hash is refused where a Linux server would install it; those of other systems
// and of developers are left, where the mirror does not have them.
import { readFileSync, writeFileSync } from 'node:fs'
import { completed } from './lock/complete.mjs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const { packages, added, unhashed } = completed(lock.packages)
const isCheck = process.argv.includes('--check')
if (added.length && !isCheck) writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
console.log(
  added.length
    ? `${isCheck ? 'missing (run node scripts/complete-lock.mjs):' : 'added'} ${added.join(', ')}`
    : 'complete',
)
if (unhashed.length) console.error(`without a hash: ${unhashed.join(', ')}`)
process.exitCode = (added.length && isCheck) || unhashed.length ? 1 : 0
