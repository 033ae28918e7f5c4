import { copyFileSync, rmSync } from 'node:fs'
import { inRoot } from './paths.mjs'
import { runNode } from './processes.mjs'

/** Builds the package of the API's client in `outDir` (client/dist): the types from the API document, then JavaScript with declarations. Resolves with the exit code. */
export async function buildClient(outDir = inRoot('client/dist')) {
  rmSync(outDir, { recursive: true, force: true })
  const made = await runNode([inRoot('server/test/write-client-types.ts')])
  if (made !== 0) return made
  const code = await runNode([
    inRoot('node_modules/typescript/bin/tsc'),
    '--singleThreaded',
    '-p',
    inRoot('client'),
    '--outDir',
    outDir,
  ])
  if (code === 0) copyFileSync(inRoot('client/src/api.d.ts'), `${outDir}/api.d.ts`)
  return code
}
