// Makes the OpenAPI document, and the one of version 3.0, and checks them by the rules of redocly.yaml. Needs no network.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { api } from '../contract/src/api.ts'
import { openapi } from '../server/src/platform/http/openapi.ts'
import { toOpenapi30 } from '../server/src/platform/http/openapi-3-0.ts'
import { contractNames } from '../server/src/platform/http/openapi-names.ts'
import { inRoot, root } from './run/paths.mjs'

const file = inRoot('.cache/openapi.json')
mkdirSync(dirname(file), { recursive: true })
const text = JSON.stringify(openapi(api, await contractNames()), null, 1)
writeFileSync(file, text)
const older = inRoot('.cache/openapi-3.0.json')
writeFileSync(older, JSON.stringify(toOpenapi30(JSON.parse(text)), null, 1))

const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js')
const args = [redocly, 'lint', file, older, '--config', inRoot('redocly.yaml'), '--format', 'codeframe']
// It would ask for a newer version of itself, and report its use.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
process.exitCode = status ?? 1
