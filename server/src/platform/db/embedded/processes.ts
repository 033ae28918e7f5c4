import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The lines of postmaster.pid that matter. */
export type PidFile = { pid: number; port: number; status: string }

export function readPidFile(cluster: string): PidFile | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim() }
  } catch {
    return null
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * True when that process is a PostgreSQL of this cluster: after a crash of the machine the pid in postmaster.pid may
 * be somebody else's by now. Every PostgreSQL process works in its cluster's folder.
 */
export function belongsTo(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster)
  } catch {
    return false
  }
}

/** True when that process runs this very program, which an upgrade may have replaced under it. */
export function runsProgram(pid: number, program: string): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readlinkSync(`/proc/${pid}/exe`) === program
  } catch {
    return false
  }
}

/**
 * Waits for the backends that a killed postmaster left behind: a new one refuses to start while they hold the shared
 * memory. They notice by themselves; one deep in a query is told after `patienceMs`, and killed after twice that.
 */
export async function awaitLeftovers(cluster: string, patienceMs = 3000): Promise<void> {
  const since = Date.now()
  for (let left = leftovers(cluster); left.length > 0; left = leftovers(cluster)) {
    const waited = Date.now() - since
    if (waited > patienceMs) for (const pid of left) signal(pid, waited > 2 * patienceMs ? 'SIGKILL' : 'SIGQUIT')
    await sleep(25)
  }
}

function leftovers(cluster: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && belongsTo(cluster, pid))
}

/** Sends a signal; a process that is gone already is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
