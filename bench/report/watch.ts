import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The value that a share of those before it does not exceed. */
export const share = (sorted: number[], of: number) => Number((sorted[Math.floor(sorted.length * of)] ?? 0).toFixed(1))

/** Looks at the writing process until told to stop; returns the most resident memory it had, MB. */
export function watchChild(parent: number): () => number {
  let peak = 0
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const status = readOr(`/proc/${pid}/status`)
      if (!status.includes(`PPid:\t${parent}\n`) || !readOr(`/proc/${pid}/cmdline`).includes('write-files.ts')) continue
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    }
  }, 50)
  return () => {
    clearInterval(timer)
    if (peak === 0) throw new Error('the writing process was never seen')
    return peak
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Asks /health every 10 ms until told to stop; returns how long the answers took, ascending, ms. */
export function watchHealth(base: string): () => Promise<number[]> {
  const times: number[] = []
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const started = performance.now()
      const answer = await fetch(`${base}/health`)
      await answer.text()
      if (!answer.ok) throw new Error(`/health answered ${answer.status}`)
      times.push(performance.now() - started)
      await sleep(10)
    }
  }
  // A report that fails ends the server: the failure is what is to be read, not that the watch found nobody.
  const done = watch().catch((error: Error) => error)
  return async () => {
    isOver = true
    const failure = await done
    if (failure) throw failure
    return times.sort((a, b) => a - b)
  }
}
