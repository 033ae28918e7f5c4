import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'
import { inRoot, pinnedNode, root } from './paths.mjs'

const environment = (extra = {}) => ({
  ...process.env,
  PATH: `${inRoot('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
  ...extra,
})

/**
 * Runs the pinned Node in the foreground and resolves with its exit code (128 + n for a signal). Signals sent to us go
 * on to it; a Ctrl-C does not, because the terminal sends that to the whole group itself.
 */
export function runNode(args, { env, cwd = root } = {}) {
  const child = spawn(pinnedNode, args, { cwd, env: environment(env), stdio: 'inherit' })
  const forward = (name) => {
    if (name !== 'SIGINT' || !process.stdin.isTTY) child.kill(name)
  }
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const name of names) process.on(name, forward)
  return finished(child).finally(() => {
    for (const name of names) process.off(name, forward)
  })
}

/** Runs the pinned Node with its output collected: resolves with `{code, output}`. */
export async function captureNode(args) {
  const child = spawn(pinnedNode, args, {
    cwd: root,
    env: environment({ FORCE_COLOR: '' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.on('data', (chunk) => chunks.push(chunk))
  const code = await finished(child)
  return { code, output: Buffer.concat(chunks).toString() }
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

function finished(child) {
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', (code, name) => done(code ?? 128 + (SIGNALS[name] ?? 0)))
  })
}
