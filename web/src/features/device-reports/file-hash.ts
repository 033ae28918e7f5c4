import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** SHA-256 of a file in hex, read piece by piece. In plain script: browsers keep theirs to themselves on plain http. */
export async function hashOf(file: Blob): Promise<string> {
  const hash = sha256.create()
  const reader = file.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytesToHex(hash.digest())
    hash.update(value)
  }
}
