// Keeps to the words of docs/glossary.md, comments to their subject first, and issue numbers out of docs (scripts/words/check.mjs).
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkWords } from './words/check.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = new Map([['README.md', readFileSync(join(root, 'README.md'), 'utf8')]])

function collect(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) {
      if (!['node_modules', 'dist'].includes(entry.name)) collect(path)
    } else if (/\.(ts|tsx|mjs|md)$/.test(entry.name)) {
      files.set(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8'))
    }
  }
}

for (const name of ['contract', 'server', 'web', 'simulator', 'bench', 'e2e', 'scripts', 'docs'])
  collect(join(root, name))
const faults = checkWords(files)
console.log(faults.length ? faults.join('\n') : `${files.size} files keep to the glossary`)
process.exitCode = faults.length ? 1 : 0
