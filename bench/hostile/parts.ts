import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs the parts one after the other, each in a process of its own on a new server; whether all of them passed. */
export async function runParts(args: readonly string[], requests: number, perPart: number): Promise<boolean> {
  const failed: number[] = []
  for (let from = 0; from < requests; from += perPart) {
    const part = ['--from', String(from), '--requests', String(Math.min(perPart, requests - from))]
    console.log(`from ${from}`)
    // The last value of an option that is given twice would be ignored: the first one is read.
    const child = spawn(process.execPath, [process.argv[1] ?? '', ...part, ...args], { stdio: 'inherit' })
    const [code] = await once(child, 'close')
    if (code !== 0) failed.push(from)
  }
  console.log(failed.length === 0 ? `${requests} requests passed` : `the parts from ${failed.join(', ')} failed`)
  return failed.length === 0
}
