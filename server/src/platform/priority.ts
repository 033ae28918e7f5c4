import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { longWorkRests } from './loop/machine.ts'

/** Linux takes a new priority of a group from anybody but root at most every tenth of a second, all groups together. */
const againMs = 250

/**
 * Gives a process of this machine a lower priority (0 to 19, as os.constants.priority has it). Does nothing where it has ended or the system forbids it: it
 * works all the same, and where long work does not rest. A process that leads its session (`detached` of spawn and fork) gives way to those of other sessions, too.
 */
export function lowerPriority(pid: number, priority: number): void {
  if (!longWorkRests()) return
  try {
    for (const thread of threadsOf(pid)) setPriority(thread, priority)
    lowerGroup(pid, priority)
  } catch {
    // It has ended, or the system forbids it.
  }
}

/** On Linux a priority is one thread's: those that were there before keep theirs, the collector's threads among them. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

/**
 * Linux may make a scheduling group of each session (`kernel.sched_autogroup_enabled`); then a priority counts within the group only. Where a
 * process leads its session, its group gets the priority as well.
 */
function lowerGroup(pid: number, priority: number, isRetry = false) {
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name in brackets: state, parent, process group, session.
  const session = status.slice(status.lastIndexOf(')') + 2).split(' ')[3]
  if (session !== String(pid)) return
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(priority))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || isRetry) throw error
    setTimeout(lowerOnceMore, againMs, pid, priority).unref()
  }
}

function lowerOnceMore(pid: number, priority: number) {
  try {
    lowerGroup(pid, priority, true)
  } catch {
    // It has ended meanwhile.
  }
}
