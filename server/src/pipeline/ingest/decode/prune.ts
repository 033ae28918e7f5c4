const [quote, backslash] = [0x22, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** More than anything that is taken from a message. */
const deepest = 32
/** A shorter text has no room for a depth that costs anything. */
const shortBytes = 512
const pruned = Buffer.from('"…"')

/**
 * The text of a JSON body in which what is nested deeper than 32 is the text "…". Parsing half a million nested lists would take 250 ms,
 * and writing them down needs more stack than there is.
 */
export function prune(body: Buffer): string {
  if (body.length < shortBytes) return body.toString()
  const kept: Buffer[] = []
  let [depth, from, cutAt] = [0, 0, -1]
  for (let at = 0; at < body.length; at++) {
    const code = body[at]
    if (code === quote) {
      while (++at < body.length && body[at] !== quote) if (body[at] === backslash) at++
    } else if (code === openList || code === openObject) {
      depth++
      if (depth === deepest + 1) cutAt = at
    } else if (code === closeList || code === closeObject) {
      depth--
      if (depth !== deepest || cutAt < 0) continue
      kept.push(body.subarray(from, cutAt), pruned)
      from = at + 1
      cutAt = -1
    }
  }
  // Where the last one does not end, the text is no JSON.
  return kept.length === 0 && cutAt < 0
    ? body.toString()
    : Buffer.concat([...kept, body.subarray(from, cutAt < 0 ? body.length : cutAt)]).toString()
}
