// Keeps to the words of docs/glossary.md, comments to their subject first, and issue numbers out of docs (scripts/words/check.mjs).
import { isCode, sourcesIn, tellFaults, WORKSPACES } from './sources.mjs'
import { checkWords } from './words/check.mjs'

const files = sourcesIn(['README.md', 'docs', ...WORKSPACES], (path) => isCode(path) || path.endsWith('.md'))
tellFaults(checkWords(files), `${files.size} files keep to the glossary`)
