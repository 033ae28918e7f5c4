import { readdirSync, readFileSync } from 'node:fs'

const ticksPerS = 100

interface Usage {
  parent: number
  own: number
  ended: number
}

function usageOf(pid: number): Usage | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number)
    const [at = 0, ut = 0, st = 0, cut = 0, cst = 0] = [fields[1], fields[11], fields[12], fields[13], fields[14]]
    return { parent: at, own: (ut + st) / ticksPerS, ended: (cut + cst) / ticksPerS }
  } catch {
    return null
  }
}

/** Processor seconds a process has used; with `family`, its children too, those that ended included. */
export function cpuSeconds(pid: number, family = false): number {
  const root = usageOf(pid)
  if (!root) return 0
  if (!family) return root.own
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => usageOf(Number(name)))
    .filter((usage) => usage?.parent === pid)
  return root.own + root.ended + children.reduce((sum, usage) => sum + (usage?.own ?? 0), 0)
}
