import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it that are missing. `recursive` of mkdir would never return where the system makes no folder and says that the
 * one above is missing, though it is there, as in /proc.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const missing: string[] = []
  for (let at = path; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing) {
    await mkdir(one, { mode }).catch((error: NodeJS.ErrnoException) => {
      // Another process made it meanwhile.
      if (error.code !== 'EEXIST') throw error
    })
  }
  // A place that is there already may be a file.
  if (missing.length === 0) await mkdir(path, { recursive: true, mode })
}
