import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const file = (path: string) => JSON.stringify(new URL(path, import.meta.url).pathname)

/** Loads the whole server in a process of its own, keeps and reads a file, and says which parts of the SDK were loaded then, and after a bucket was asked. */
const code = `
  const { registerHooks } = await import('node:module')
  const loaded = []
  registerHooks({
    load(url, context, next) {
      if (url.includes('@aws-sdk') || url.includes('@smithy')) loaded.push(url)
      return next(url, context)
    },
  })
  await import(${file('../start.ts')})
  const { openFiles } = await import(${file('../platform/files/files.ts')})
  const { listFiles } = await import(${file('../platform/files/list-files.ts')})
  const { openStore } = await import(${file('../platform/backup/open-store.ts')})
  const { writeFile } = await import('node:fs/promises')
  const dataDir = process.argv[1]
  const files = openFiles({ dataDir, fileStore: null })
  const begun = await files.begin('record-attachments', 'txt')
  await writeFile(begun.path, 'ten degrees')
  await begun.keep()
  const listed = []
  for await (const page of listFiles({ dataDir, fileStore: null })) listed.push(...page)
  await openStore(dataDir).list('')
  const before = loaded.length
  const bucket = {
    ...{ bucket: 'none', prefix: '', endpoint: 'http://127.0.0.1:1', region: 'us-east-1', pathStyle: true },
    ...{ answerMs: 1000, keys: { id: 'a', secret: 'b' } },
  }
  await openStore(bucket).list('').catch(() => {})
  console.log(JSON.stringify({ files: listed.length, before, after: loaded.length > 0 }))
`

test('the SDK of buckets is loaded with the first question to a bucket, and never without one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-sdk-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, dataDir])
  expect(JSON.parse(stdout)).toEqual({ files: 1, before: 0, after: true })
}, 120_000)
