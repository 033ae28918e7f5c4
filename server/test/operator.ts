import { spawn } from 'node:child_process'
import { serverMain } from './server-main.ts'

/** An operator's view of one command of the server's command line. */
export interface CommandOutput {
  code: number | null
  out: string
  err: string
}

/** Runs a command of the server on a data folder, as an operator would. */
export function runMain(dataDir: string, args: string[], env: Record<string, string> = {}): Promise<CommandOutput> {
  const child = spawn(process.execPath, [serverMain, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const told = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    told.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    told.err += chunk
  })
  return new Promise((done, failed) => child.on('error', failed).on('close', (code) => done({ code, ...told })))
}
