import type { Hash } from 'node:crypto'

/** The same bytes, which `hash` has seen too. */
export async function* hashed(body: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
}
