import { checks } from './checks.ts'
import { startInstance } from './instance.ts'
import { settle } from './people.ts'
import { worldFor } from './world.ts'

// Tries every check on an instance of its own; `--broken` shows each a spoiled view, in which it must find a fault.
const isBroken = process.argv.includes('--broken')
const instance = await startInstance()
let failed = 0
try {
  const people = await settle(instance)
  for (const check of checks) {
    const found = await check.fault(worldFor(instance, people, isBroken ? check.spoiled : {})).catch(String)
    const isGood = (found === null) !== isBroken
    if (!isGood) failed += 1
    console.log(`${isGood ? '✓' : '✗'} ${check.id} ${check.says}${found && !isBroken ? `: ${found}` : ''}`)
  }
} finally {
  await instance.close()
}
console.log(`\n${checks.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
